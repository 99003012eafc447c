/** An entry of a recording in HAR 1.2, which browsers and proxies write, as far as fxconform writes and reads it. */
export interface HarEntry {
  /** ISO 8601. */
  readonly startedDateTime: string;
  /** Milliseconds to the end of the response. */
  readonly time: number;
  readonly request: HarRequest;
  readonly response: HarResponse;
  readonly cache: object;
  readonly timings: { readonly send: number; readonly wait: number; readonly receive: number };
  /** Why there is no response; a field of our own. */
  readonly _error?: string;
}

export interface HarField {
  readonly name: string;
  readonly value: string;
}

interface HarMessage {
  readonly httpVersion: string;
  readonly cookies: readonly HarField[];
  readonly headers: readonly HarField[];
  readonly headersSize: number;
  readonly bodySize: number;
}

interface HarRequest extends HarMessage {
  readonly method: string;
  readonly url: string;
  readonly queryString: readonly HarField[];
  /** HAR has no encoding for request bodies: `_encoding` is a field of our own. */
  readonly postData?: { readonly mimeType: string; readonly text?: string; readonly _encoding?: "base64" };
}

interface HarResponse extends HarMessage {
  /** 0 if there is no response. */
  readonly status: number;
  readonly statusText: string;
  /** The body after content decoding. Without `text`, the recording does not contain the body. */
  readonly content: {
    readonly size: number;
    readonly mimeType: string;
    readonly text?: string;
    readonly encoding?: "base64";
    /** Why the body is incomplete; a field of our own. */
    readonly _defect?: { readonly kind: string; readonly text: string };
  };
  readonly redirectURL: string;
}

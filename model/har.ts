/** HAR 1.2, the W3C draft that browsers and proxies write: what fxconform writes of it, and reads where it is there. */
export interface HarEntry {
  /** ISO 8601. */
  readonly startedDateTime: string;
  /** Milliseconds to the end of the response. */
  readonly time: number;
  readonly request: HarRequest;
  readonly response: HarResponse;
  readonly cache: object;
  readonly timings: { readonly send: number; readonly wait: number; readonly receive: number };
  /** Why there is no response. */
  readonly _error?: string;
}

/** A header field, a cookie or a query parameter. */
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
  /** HAR knows no coding of a request's body: `_encoding` is ours. */
  readonly postData?: { readonly mimeType: string; readonly text?: string; readonly _encoding?: "base64" };
}

interface HarResponse extends HarMessage {
  /** 0: there is no response. */
  readonly status: number;
  readonly statusText: string;
  /** After content decoding; without `text`, the body is not in the recording. */
  readonly content: {
    readonly size: number;
    readonly mimeType: string;
    readonly text?: string;
    readonly encoding?: "base64";
    /** Why the body is not whole. */
    readonly _defect?: { readonly kind: string; readonly text: string };
  };
  readonly redirectURL: string;
}

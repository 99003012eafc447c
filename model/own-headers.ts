/**
 * Headers that `--header` cannot set, in lower case, each with the reason. They include all headers that fxconform sets
 * itself.
 */
export const ownHeaders: Readonly<Record<string, string>> = {
  "user-agent": "It names the tool and the run, so that requests can be found in a log.",
  accept: "Every request accepts application/json, as the specification has it.",
  "accept-encoding": "Every request accepts gzip.",
  "content-type": "It follows from the body of each request.",
  "x-api-key": "Give the key of the API with --api-key-file or FXCONFORM_API_KEY.",
  authorization: "It carries the token of the API.",
  host: "It follows from --base-url.",
  "content-length": "It follows from the body of each request.",
  "transfer-encoding": "It follows from the body of each request.",
  "content-encoding": "Bodies are sent as they are.",
  connection: "Connections are kept and closed as each check needs.",
  "keep-alive": "Connections are kept and closed as each check needs.",
  upgrade: "Every request is HTTP/1.1.",
  te: "Every request is HTTP/1.1.",
  trailer: "Every request is HTTP/1.1.",
  expect: "Bodies are sent without waiting for a 100 Continue.",
  "proxy-authorization": "Put user and password into the address of the proxy: --proxy http://user:password@host:port.",
  "proxy-connection": "Connections are kept and closed as each check needs.",
  range: "A part of a response cannot be judged.",
  "if-match": "A conditional request may get no content, which cannot be judged.",
  "if-none-match": "A conditional request may get no content, which cannot be judged.",
  "if-modified-since": "A conditional request may get no content, which cannot be judged.",
  "if-unmodified-since": "A conditional request may get no content, which cannot be judged.",
  "if-range": "A part of a response cannot be judged.",
};

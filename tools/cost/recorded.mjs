// Says what the bare loop of `cost-child.mjs` sends, and with which schema it validates a success.

/** Returns the requests in a recording, with good credentials in place of redacted ones. */
export function requestsOf(entries, { apiKey, token }) {
  return entries.flatMap(({ request }) => {
    const { pathname, search } = new URL(request.url);
    const headers = Object.fromEntries(
      request.headers.map(({ name, value }) => [
        name,
        value.replace(/\[key \d+\]/, apiKey).replace(/\[token \d+\]/, token),
      ]),
    );
    delete headers["content-length"];
    const { text, _encoding } = request.postData ?? {};
    const body = text === undefined ? undefined : Buffer.from(text, _encoding ?? "utf8");
    return [
      {
        method: request.method,
        path: pathname + search,
        headers,
        body,
        schema: schemaOf(request, pathname),
      },
    ];
  });
}

function schemaOf({ method }, path) {
  if (path.endsWith("/auth/token")) return "Token";
  if (path.endsWith("/counterparty")) return "Counterparty";
  if (path.endsWith("/corporate/operation")) return "Operation";
  if (!path.endsWith("/batches")) return undefined;
  return method === "GET" ? "BatchList" : "Batch";
}

// Finds and formats what an example of a requirement shows.

/**
 * Resolves to the first fault that fails the requirement, with the finding, or to undefined if no
 * fault does. A run of the requirement alone is tried before a full run. `resultOf` runs a
 * selection against the reference server with faults.
 */
export async function violationOf(id, { faults, all, resultOf }) {
  const candidates = faults
    .filter(({ breaks, needs }) => breaks === id && !needs?.slow)
    .slice(0, 4);
  for (const selection of [[id], all]) {
    for (const fault of candidates) {
      const result = await resultOf([fault.id], selection);
      const finding = result.requirements.find((row) => row.id === id).findings[0];
      const shown = finding && exchangeOf(result, finding.exchange);
      if (finding === undefined || (shown === undefined && fault !== candidates.at(-1))) continue;
      const { message, expected, actual } = finding;
      return { fault: fault.id, breaks: { message, expected, actual, exchange: shown } };
    }
  }
}

/**
 * Returns an exchange as `fxconform explain` shows it: without addresses, and with the headers that
 * matter. Returns undefined if the run did not keep the exchange.
 */
export function exchangeOf({ exchanges, target }, id) {
  const found = exchanges.find((exchange) => exchange.id === id);
  if (found === undefined) return undefined;
  const { request, response, intent, error = "unknown" } = found;
  const { hostname, origin } = new URL(
    request.url.startsWith("http") ? request.url : target.baseUrl,
  );
  const clean = (text) => text.replaceAll(origin, "").replaceAll(hostname, "server.example");
  const received = response && { ...response, body: clean(response.body) };
  return [
    `# ${intent}`,
    ...messageLines(clean(`${request.method} ${request.url}`), request),
    "",
    ...(received
      ? messageLines(`${received.status} ${received.statusText}`.trim(), received)
      : [`# no response: ${error}`]),
  ].join("\n");
}

function messageLines(line, { headers, body }) {
  const kept = headers.filter(([name]) =>
    ["authorization", "content-type"].includes(name.toLowerCase()),
  );
  const cut = body?.length > 600 ? `${body.slice(0, 600)}… (${body.length} characters)` : body;
  return [
    line,
    ...kept.map(([name, value]) => `${name}: ${value}`),
    ...(cut === undefined ? [] : ["", cut]),
  ];
}

/**
 * The colours of the light and the dark theme. Text has a contrast of at least 4.5:1. Each verdict has `--ink` for text
 * and signs, `--tint` for the background of these, and `--mid` for areas without text.
 */
export const toneStyle = `
:root {
  color-scheme: light dark;
  --page: light-dark(#f6f7f8, #11151a);
  --paper: light-dark(#ffffff, #191f26);
  --sunk: light-dark(#f3f5f7, #12171d);
  --text: light-dark(#1b232d, #e4e9ef);
  --soft: light-dark(#56616e, #9dabba);
  --line: light-dark(#dfe3e8, #2c353f);
  --strong-line: light-dark(#c3cad2, #414d5a);
  --link: light-dark(#1f5c94, #8cc0f2);
  --focus: light-dark(#1f6fb8, #7db9f5);
  --pass-ink: light-dark(#1f6b41, #79cf9e);
  --pass-mid: light-dark(#7dbf9a, #3f9467);
  --pass-tint: light-dark(#e0f1e7, #173325);
  --fail-ink: light-dark(#a82a23, #ff9d94);
  --fail-mid: light-dark(#c63f37, #e0645b);
  --fail-tint: light-dark(#fce6e4, #45211f);
  --fail-solid: light-dark(#b5322b, #c9443b);
  --warn-ink: light-dark(#7c5600, #efc368);
  --warn-mid: light-dark(#e0a92e, #d6a33d);
  --warn-tint: light-dark(#fbeecb, #3d3013);
  --none-ink: light-dark(#43559c, #aebdfb);
  --none-mid: light-dark(#7c8fd6, #7286d6);
  --none-tint: light-dark(#e6eafa, #262e4d);
  --skip-ink: light-dark(#5b6570, #9dabba);
  --skip-mid: light-dark(#b4bcc5, #5c6875);
  --skip-tint: light-dark(#e9ecef, #262d35);
  --good: light-dark(#5b9bd0, #4d8cc2);
  --sans: ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
:root[data-theme="light"] { color-scheme: light; }
:root[data-theme="dark"] { color-scheme: dark; }
.pass, .conformant { --ink: var(--pass-ink); --mid: var(--pass-mid); --tint: var(--pass-tint); }
.fail, .nonconformant { --ink: var(--fail-ink); --mid: var(--fail-mid); --tint: var(--fail-tint); }
.warn, .interrupted, .error { --ink: var(--warn-ink); --mid: var(--warn-mid); --tint: var(--warn-tint); }
.inconclusive, .partial { --ink: var(--none-ink); --mid: var(--none-mid); --tint: var(--none-tint); }
.skip, .note { --ink: var(--skip-ink); --mid: var(--skip-mid); --tint: var(--skip-tint); }
`;

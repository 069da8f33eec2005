import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

export interface PlainPage {
  status: number;
  title: string;
  /** Paragraphs. Text in backticks is shown as a command. */
  lines: readonly string[];
}

const STYLE = `:root{color-scheme:light dark}body{font:16px/1.6 system-ui,sans-serif;max-width:34rem;margin:18vh auto 0;padding:0 1.25rem}h1{font-size:1.25rem}code{font:15px ui-monospace,monospace;padding:.15em .4em;border:1px solid;border-radius:4px}`;
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');
const POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** The page is for this machine and needs no browser feature, so all are disabled. */
export const PAGE_HEADERS = {
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
} as const;

/** Creates a page without the viewer: text only, without scripts or other resources. */
export function sendPlainPage(request: IncomingMessage, response: ServerResponse, page: PlainPage): void {
  const html = render(page);
  response.writeHead(page.status, {
    ...PAGE_HEADERS,
    'content-type': 'text/html; charset=utf-8',
    'content-length': Buffer.byteLength(html),
    'content-security-policy': POLICY,
  });
  response.end(request.method === 'HEAD' ? undefined : html);
}

function render({ title, lines }: PlainPage): string {
  const paragraphs = lines.map((line) => `<p>${line.replace(/`([^`]*)`/g, '<code>$1</code>')}</p>`).join('');
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>claude-mem</title><link rel="icon" href="data:,"><style>${STYLE}</style></head><body><main><h1>${title}</h1>${paragraphs}</main></body></html>\n`;
}

export const SIGN_IN_NEEDED: PlainPage = {
  status: 401,
  title: 'This browser is not signed in',
  lines: [
    'Run `claude-mem open` in a terminal on this machine. It opens the viewer here, signed in.',
    'Where the terminal does not know that command: `~/.claude-mem/bin/claude-mem open`, or `bin/claude-mem open` in the data folder that you chose.',
  ],
};

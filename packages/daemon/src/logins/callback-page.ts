/** What the browser shows when a login is over. It says nothing but that, whatever the address brought along. */

export type CallbackVerdict =
  | { readonly kind: 'done'; readonly server: string }
  | { readonly kind: 'failed'; readonly server: string; readonly why: string }
  /** Not of a login that is under way: a stale tab, or somebody who guesses. */
  | { readonly kind: 'unknown' }

export interface CallbackPage {
  readonly status: number
  readonly html: string
}

export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  // The browser need not keep the connection: nobody listens any more in a moment.
  connection: 'close',
} as const

export function renderCallbackPage(verdict: CallbackVerdict): CallbackPage {
  switch (verdict.kind) {
    case 'done':
      return createPage(
        200,
        'Logged in',
        `Switchboard is logged in to the server <b>${escapeText(verdict.server)}</b>. You can close this page.`,
      )
    case 'failed':
      return createPage(
        400,
        'Not logged in',
        `The login to the server <b>${escapeText(verdict.server)}</b> failed: ${escapeText(verdict.why)}`,
      )
    case 'unknown':
      return createPage(
        404,
        'Nothing here',
        'This page belongs to no login that is under way. Begin it again, and use the newest page.',
      )
  }
}

function createPage(status: number, title: string, text: string): CallbackPage {
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title} – Switchboard</title>
<style>:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:15vh auto;padding:0 1rem}h1{font-size:1.4rem}</style>
</head><body><main><h1>${title}</h1><p>${text}</p></main></body></html>
`
  return { status, html }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => ENTITIES[letter] ?? '')
}

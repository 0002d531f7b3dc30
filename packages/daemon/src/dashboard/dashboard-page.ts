/** The page as one file, made by scripts/run/bundle.mjs beside the command, with headers that let it do what it does and no more. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

export interface DashboardPage {
  readonly plain: Buffer
  readonly gzipped: Buffer
  readonly headers: Readonly<Record<string, string>>
}

const IS_BUNDLED = import.meta.url.endsWith('.mjs')
/** From the sources, in tests: that of the clone. */
const FILE = fileURLToPath(
  new URL(IS_BUNDLED ? './dashboard.html' : '../../../cli/dist/dashboard.html', import.meta.url),
)

/** Of everything that is answered below /dashboard. */
export const SAFE_HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const

export async function readDashboardPage(file: string = FILE): Promise<DashboardPage> {
  const plain = await readFile(file)
  const text = plain.toString()
  const policy = [
    "default-src 'none'",
    `script-src ${hashesOf(text, 'script')}`,
    `style-src ${hashesOf(text, 'style')}`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ]
  const headers = {
    ...SAFE_HEADERS,
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    vary: 'accept-encoding',
  }
  return { plain, gzipped: await promisify(gzip)(plain, { level: 9 }), headers }
}

/** Nothing else in the page runs or styles. */
function hashesOf(page: string, element: 'script' | 'style'): string {
  const found = page.matchAll(new RegExp(`<${element}[^>]*>([^]*?)</${element}>`, 'g'))
  return Array.from(found, ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`).join(
    ' ',
  )
}

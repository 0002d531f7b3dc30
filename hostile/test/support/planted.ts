/** Secrets as people have them, of each kind another one every time. */
import { randomBytes } from 'node:crypto'

export interface Planted {
  readonly name: string
  /** As it is given. */
  readonly value: string
  /** What must be seen nowhere. */
  readonly secret: string
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

function random(length: number, letters = LETTERS): string {
  return Array.from(randomBytes(length), (byte) => letters.charAt(byte % letters.length)).join('')
}

function hex(length: number): string {
  return random(length, '0123456789abcdef')
}

function plant(name: string, start: string, secret: string, end = ''): Planted {
  return { name, value: `${start}${secret}${end}`, secret }
}

export function createPlanted(): Planted[] {
  const jwt = [{ alg: 'HS256' }, { sub: random(8) }].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  )
  return [
    plant('AWS_ACCESS_KEY_ID', 'AKIA', random(16, LETTERS.slice(0, 26))),
    plant('AWS_SECRET_ACCESS_KEY', '', random(40)),
    plant('GITHUB_TOKEN', 'ghp_', random(36)),
    plant('GITHUB_FINE_TOKEN', 'github_pat_', `${random(22)}_${random(59)}`),
    plant('GITLAB_TOKEN', 'glpat-', random(20)),
    plant('SLACK_BOT_TOKEN', 'xoxb-', `${random(12, '0123456789')}-${random(24)}`),
    plant('STRIPE_SECRET_KEY', 'sk_live_', random(24)),
    plant('GOOGLE_API_KEY', 'AIza', random(35)),
    plant('OPENAI_API_KEY', 'sk-proj-', random(48)),
    plant('ANTHROPIC_API_KEY', 'sk-ant-api03-', random(60)),
    plant('NPM_TOKEN', 'npm_', random(36)),
    plant('PYPI_TOKEN', 'pypi-', random(60)),
    plant('HF_TOKEN', 'hf_', random(34)),
    plant('ID_TOKEN', `${jwt.join('.')}.`, random(43)),
    plant('PRIVATE_KEY', '-----BEGIN PRIVATE KEY-----\\n', random(64), '\\n-----END PRIVATE KEY-----'),
    plant('PROXY_URL', 'https://someone:', random(20), '@proxy.example.test/'),
    plant('DATABASE_URL', 'postgresql://app:', random(18), '@db.example.test:5432/app'),
    plant('AZURE_STORAGE', 'DefaultEndpointsProtocol=https;AccountName=a;AccountKey=', random(86), '==;'),
    plant('TWILIO_API_KEY', 'SK', hex(32)),
    plant('TWILIO_AUTH_TOKEN', '', hex(32)),
    plant('SENDGRID_API_KEY', 'SG.', `${random(22)}.${random(43)}`),
    plant('BEARER', 'Bearer ', random(40)),
    plant('SESSION_COOKIE', 'sid=', random(32)),
    plant('CLIENT_SECRET', '', hex(64)),
    // Of 64 such keys one looks like a path.
    plant('ENCRYPTION_KEY', '', `/${randomBytes(32).toString('base64').slice(1)}`),
    plant('VAULT_TOKEN', 'hvs.', random(90)),
    plant('TELEGRAM_BOT_TOKEN', `${random(9, '123456789')}:`, `AA${random(33)}`),
    plant('DISCORD_TOKEN', '', `M${random(23)}.${random(6)}.${random(38)}`),
    plant('DB_PASSWORD', '', `${random(6)}-${random(9)}`),
  ]
}

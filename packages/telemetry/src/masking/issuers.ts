/** Who has issued a key or token, told by how it begins. */
const ISSUERS: readonly (readonly [start: string, kind: string])[] = [
  ['sk-ant-', 'Anthropic key'],
  ['sk-', 'OpenAI key'],
  ['sk_', 'Stripe key'],
  ['rk_', 'Stripe key'],
  ['whsec_', 'Stripe key'],
  ['gh', 'GitHub token'],
  ['github_pat_', 'GitHub token'],
  ['glsa_', 'Grafana token'],
  ['glc_', 'Grafana token'],
  ['gl', 'GitLab token'],
  ['npm_', 'npm token'],
  ['hf_', 'Hugging Face token'],
  ['xox', 'Slack token'],
  ['xapp-', 'Slack token'],
  ['AKIA', 'AWS key'],
  ['ASIA', 'AWS key'],
  ['AIza', 'Google key'],
  ['ya29', 'Google token'],
  ['GOCSPX-', 'Google key'],
  ['SG.', 'SendGrid key'],
  ['SK', 'Twilio key'],
  ['HRKU-', 'Heroku key'],
  ['ATATT3', 'Atlassian token'],
  ['shp', 'Shopify token'],
  ['dop_v1_', 'DigitalOcean token'],
  ['pypi-', 'PyPI token'],
  ['dckr_pat_', 'Docker token'],
  ['dapi', 'Databricks token'],
  ['hv', 'Vault token'],
  ['ntn_', 'Notion token'],
  ['eyJ', 'JWT'],
  ['AGE-', 'private key'],
  ['key-', 'Mailgun key'],
]

export function issuerOf(word: string): string {
  if (/^.{4}Q~/.test(word)) return 'Azure key'
  return ISSUERS.find(([start]) => word.startsWith(start))?.[1] ?? 'access token'
}

/**
 * Masks secrets within text. Errs on the side of masking: a word too many is a nuisance, a token in a log is a leak.
 * Every pattern either consumes what it has looked at or looks ahead by a bounded length, so that the time stays linear
 * in the text, whatever the text is.
 */
import { judgeName, looksLikePath } from '@switchboard/base'
import { issuerOf } from './issuers.ts'
import { replaceKnown } from './known-secrets.ts'

export const MASK = '[masked]'
const MAX_TEXT = 2_000
/** Looked at beyond the cut, so that a secret that lies across it is still recognised. */
const WINDOW = MAX_TEXT + 6_000

/**
 * One pass that tells ordinary text apart; only what it finds is worth the patterns below. Ordered by first letters: that is
 * what the time of the pass depends on.
 */
const SUSPECT =
  /b(?:earer|asic\s)|:\/\/|-----BEGIN|e(?:yJ|ncryption[ _-]?key)|a(?:kia|sia|iza|tatt3|ge-secret|pi[ _-]?key|cc(?:ess|ount)[ _-]?key|uth(?:orization|[ _-]?key))|x(?:ox[a-z]|app|ai)-|r(?:k[-_]|8_)|g(?:h[a-z]_|ithub_pat_|l[a-z]{1,5}[-_]|ocspx-)|n(?:pm_|rak-|tn_|vapi-)|h(?:f_|rku-|v[sb]\.)|f(?:igd|m2)_|d(?:op_v1_|ckr_|p\.|api[0-9a-f]{8})|whsec_|ya29|l(?:in_api_|icense[ _-]?key)|master[ _-]?key|p(?:ass|wd|plx-|ypi-|mak-|csk_|scale_|rivate[ _-]?key)|s(?:k[-_]|k[0-9a-f]{16}|g\.|bp_|ntry|ecret|haredaccesskey|hp[a-z]{2}_|ign(?:ature|ing[ _-]?key)|ubscription[ _-]?key)|t(?:oken|vly-|skey-)|c(?:ookie|redential)|key-[0-9a-f]{32}|q~[a-z0-9_~.-]{31}|[?&](?:key|sig|auth|code|jwt|pat)=/i

const PRIVATE_KEY = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----|$)/g

const ISSUED =
  /(?<![A-Za-z0-9])(?:sk-[A-Za-z0-9_-]{8,}|[sr]k_(?:live|test)_[A-Za-z0-9]{8,}|gh[pousr]_[A-Za-z0-9]{8,}|github_pat_[A-Za-z0-9_]{8,}|gl(?:pat|dt|rt|cbt|ptt|ft|soat|imt|agent)-[A-Za-z0-9_-]{8,}|npm_[A-Za-z0-9]{20,}|hf_[A-Za-z0-9]{20,}|xox[a-z]-[A-Za-z0-9-]{6,}|(?:xapp|pplx|tvly)-[A-Za-z0-9-]{16,}|(?:gsk|shp[a-z]{2}|figd|whsec|lin_api|dop_v1)_[A-Za-z0-9_-]{16,}|ya29\.[A-Za-z0-9_-]{16,}|SG\.[A-Za-z0-9_-]{16,}(?:\.[A-Za-z0-9_-]*)?|ATATT3[A-Za-z0-9_=-]{16,}|(?:AKIA|ASIA)[A-Z0-9]{12,}|AIza[A-Za-z0-9_-]{20,}|eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*){0,4})/g

/** Issued by fewer, and as plain in their form. */
const ALSO_ISSUED =
  /(?<![A-Za-z0-9])(?:GOCSPX-[A-Za-z0-9_-]{20,}|HRKU-[A-Za-z0-9_-]{20,}|SK[0-9a-f]{32}(?![0-9a-f])|pypi-[A-Za-z0-9_-]{30,}|dckr_pat_[A-Za-z0-9_-]{16,}|dapi[0-9a-f]{32}|(?:glsa|glc|sbp|sntrys|sntryu)_[A-Za-z0-9_-]{20,}|(?:PMAK|NRAK)-[A-Za-z0-9-]{20,}|AGE-SECRET-KEY-1[A-Z0-9]{20,}|hv[sb]\.[A-Za-z0-9_-]{20,}|dp\.[a-z]{2,5}\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{32,}|(?:xai|nvapi|tskey-[a-z]{2,12})-[A-Za-z0-9_-]{20,}|(?:ntn|r8|pcsk|fm2|pscale_(?:tkn|pw|oauth))_[A-Za-z0-9_=.-]{20,}|key-[0-9a-f]{32}(?![0-9a-f])|[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{31,34})/g

/** The connection strings of Azure. */
const STORAGE_KEY = /((?:Account|SharedAccess)Key=)[A-Za-z0-9+/]{20,}={0,2}/gi

/** Whoever knows such an address may write there. */
const WEBHOOK =
  /(:\/\/(?:hooks\.slack\.com\/(?:services|workflows|triggers)|discord(?:app)?\.com\/api\/webhooks)\/)[A-Za-z0-9/_-]{16,}/gi

/** The word after it decides: "bearer token missing" is English, "bearer s3cr3t" is not. */
const SCHEME =
  /\b(bearer[ \t]{1,4})(?!(?:tokens?|auth|authentication|authorization|headers?|scheme|credentials?|is|was|not)\b)[^\s"'`,;<>]+/gi
const BASIC = /\b((?:[Bb]asic|BASIC)[ \t]{1,4})(?=[A-Za-z+/]{0,200}(?:[0-9=]|[a-z][A-Z]))[A-Za-z0-9+/]{8,}={0,2}/g

/** User and host stay. A password may hold `@`, and `/` too unless it starts like a port. */
const USER_INFO = /(:\/\/[^\s:@/?#"'<>]{0,256}:)(?:[^\s/"'<>]{1,512}|(?!\d{1,5}\/)[^\s"'<>]{1,256})(?=@[^\s@])/g

/** A name that is a key. Names of people are shorter. */
const USER_TOKEN = /(:\/\/)[A-Za-z0-9_-]{20,200}(?=@[^\s@])/g

/** Too common elsewhere; in the query of an address these are secrets. */
const QUERY = /([?&](?:key|sig|auth|code|jwt|pat)=)(?!\[masked\])[^\s&"'`<>#]+/gi

const HEADER_LINE = /((?:set-cookie|cookie|authorization)[ \t]{0,4}[:=][ \t]{0,4})(?!["'\\\s]|\[masked\])[^\r\n"'`]+/gi

/** name, rest of the name, separator, value: `password=…`, `"apiKey": "…"`, `\"token\":\"…`, `?access_token=…`. */
const ASSIGNMENT =
  /(pass(?:word|wd|phrase)|pwd|secret|token|api[ _-]?key|authorization|cookie|(?:private|access|signing|encryption|account|master|auth|license|subscription)[ _-]?key|credential|signature)([A-Za-z0-9_-]{0,32})((?:\\{0,3}["'])?\s{0,4}[=:]\s{0,4})(\\{1,3}["'][^"'\\]*|"[^"\\]*(?:\\[\s\S][^"\\]*)*"?|'[^']*'?|[^\s"'`&;<>]+)/gi

/** `--token value`: the value is the next word. */
const OPTION =
  /(--(?:[a-z0-9]{1,30}[-_]){0,6}(?:password|passwd|passphrase|secret|token|api-?key|private-?key|access-?key|credentials?)\s{1,4})(?![-\s[])[^\s"'`]+/gi

/** Masks every secret that can be recognised in the text. The text is not cut. */
export function maskText(text: string): string {
  const unknown = replaceKnown(text, MASK)
  if (!SUSPECT.test(unknown)) return unknown
  return maskForms(unknown.replace(HEADER_LINE, `$1${MASK}`))
    .replace(ASSIGNMENT, maskAssignment)
    .replace(OPTION, `$1${MASK}`)
}

/** Is told of every secret, by what it is, before that is gone. */
export type OnMasked = (kind: string) => void

/** Only what is a secret by its own form, whatever it is called: in source code `token = read()` must stay what it is. */
export function maskForms(text: string, onMasked: OnMasked = () => {}): string {
  if (!SUSPECT.test(text)) return text
  const after = (kind: string) => (match: string, start: string) => {
    if (match === `${start}${MASK}`) return match
    onMasked(kind)
    return `${start}${MASK}`
  }
  const issued = (word: string): string => {
    onMasked(issuerOf(word))
    return MASK
  }
  return text
    .replace(PRIVATE_KEY, () => {
      onMasked('private key')
      return MASK
    })
    .replace(USER_INFO, after('password in an address'))
    .replace(USER_TOKEN, after('token in an address'))
    .replace(WEBHOOK, after('webhook address'))
    .replace(QUERY, after('key in an address'))
    .replace(SCHEME, after('bearer token'))
    .replace(BASIC, after('password'))
    .replace(STORAGE_KEY, after('Azure key'))
    .replace(ISSUED, issued)
    .replace(ALSO_ISSUED, issued)
}

function maskAssignment(
  match: string,
  name: string,
  suffix: string,
  separator: string,
  value: string,
  offset: number,
  whole: string,
): string {
  if (value.startsWith('[masked')) return match
  const verdict = judgeName(name + suffix)
  if (verdict === 'plain') return match
  if (verdict === 'counted' && /^\d+[\s,;)}\]]*$/.test(value)) return match
  if (/^(?:true|false|null|undefined)\b/.test(value)) return match
  if (name.toLowerCase() === 'pwd' && looksLikePath(value.replace(/^["'\\]+/, ''))) return match
  // What every JSON parser says about bad input is no secret.
  if (whole.slice(Math.max(0, offset - 11), offset).toLowerCase() === 'unexpected ') return match
  const quote = /^\\{0,3}["']/.exec(value)?.[0] ?? ''
  const isClosed = quote !== '' && value.length > quote.length && value.endsWith(quote)
  return `${name}${suffix}${separator}${quote}${MASK}${isClosed ? quote : ''}`
}

/** Masked, and cut at `limit` characters with a note of how many are missing. */
export function cleanText(text: string, limit: number = MAX_TEXT): string {
  const window = text.length > limit + WINDOW - MAX_TEXT ? text.slice(0, limit + WINDOW - MAX_TEXT) : text
  const masked = maskText(window)
  const unseen = text.length - window.length
  if (masked.length <= limit && unseen === 0) return masked
  // A surrogate pair is not cut in two.
  const end = limit < masked.length && isHighSurrogate(masked, limit - 1) ? limit - 1 : Math.min(limit, masked.length)
  return `${masked.slice(0, end)}… [${masked.length - end + unseen} characters cut]`
}

function isHighSurrogate(text: string, index: number): boolean {
  const code = text.charCodeAt(index)
  return code >= 0xd800 && code <= 0xdbff
}

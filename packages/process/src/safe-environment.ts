/**
 * What a server inherits of our environment. Secrets of the person's shell are not every server's business: only what
 * programs need to find their home, their temporary files, their language and their package manager is passed on.
 */

const INHERITED = new Set([
  'COLORTERM',
  'HOME',
  'LANG',
  'LANGUAGE',
  'LOGNAME',
  'PATH',
  'SHELL',
  'TERM',
  'TMPDIR',
  'TZ',
  'USER',
  'APPDATA',
  'COMSPEC',
  'HOMEDRIVE',
  'HOMEPATH',
  'LOCALAPPDATA',
  'NUMBER_OF_PROCESSORS',
  'OS',
  'PATHEXT',
  'PROCESSOR_ARCHITECTURE',
  'PROGRAMDATA',
  'PROGRAMFILES',
  'PROGRAMFILES(X86)',
  'SYSTEMDRIVE',
  'SYSTEMROOT',
  'TEMP',
  'TMP',
  'USERDOMAIN',
  'USERNAME',
  'USERPROFILE',
  'WINDIR',
  'ALL_PROXY',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_DIR',
  'SSL_CERT_FILE',
])
const INHERITED_PREFIXES = ['LC_', 'XDG_', 'NPM_CONFIG_', 'UV_', 'PIP_', 'NVM_', 'VOLTA_', 'PYENV_', 'ASDF_', 'MISE_']

/** Settings of package managers that hold credentials rather than places. */
const LOOKS_SECRET = /TOKEN|SECRET|PASSWORD|PASSWD|_AUTH|CREDENTIAL|API_?KEY/

export function createChildEnvironment(
  own: Readonly<Record<string, string>>,
  inheritAll: boolean,
  from: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  const environment: Record<string, string> = {}
  for (const [name, value] of Object.entries(from)) {
    if (value === undefined) continue
    // A value that begins so is a shell function exported by bash; running one was a security hole once.
    if (value.startsWith('()')) continue
    if (inheritAll || isInherited(name.toUpperCase())) environment[name] = value
  }
  // Windows knows no upper and lower case in these names, and of `Path` and `PATH` a program would get one or the other.
  const replaced = new Set(Object.keys(own).map((name) => name.toUpperCase()))
  for (const name of platform === 'win32' ? Object.keys(environment) : []) {
    if (replaced.has(name.toUpperCase())) delete environment[name]
  }
  return Object.assign(environment, own)
}

function isInherited(name: string): boolean {
  if (INHERITED.has(name)) return true
  return INHERITED_PREFIXES.some((prefix) => name.startsWith(prefix)) && !LOOKS_SECRET.test(name)
}

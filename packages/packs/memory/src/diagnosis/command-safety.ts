/**
 * What a command destroys, read as a shell would: its own words and those of what it runs, never a part of a word. "information"
 * has no `format` in it, and `dropdown` drops nothing.
 */

interface Danger {
  /** The program, then words or options that must be among the others: any of a group. */
  readonly program: RegExp
  readonly needs?: RegExp
  readonly warning: string
}

const DANGERS: readonly Danger[] = [
  { program: /^(?:rm|rmdir|unlink|shred|del|erase|rd|remove-item)$/, warning: 'deletes files' },
  { program: /^find$/, needs: /^-delete$/, warning: 'deletes files' },
  { program: /^(?:mkfs(?:\..+)?|dd|fdisk|parted|diskpart|wipefs)$/, warning: 'overwrites a disk' },
  { program: /^format$/, needs: /^[a-z]:$/i, warning: 'overwrites a disk' },
  { program: /^truncate$/, warning: 'empties files' },
  { program: /^(?:kill|pkill|killall|taskkill|stop-process)$/, warning: 'ends processes' },
  { program: /^(?:shutdown|reboot|halt|poweroff)$/, warning: 'stops the machine' },
  {
    program: /^(?:systemctl|service|launchctl)$/,
    needs: /^(?:stop|restart|disable)$/,
    warning: 'interrupts a service',
  },
  { program: /^git$/, needs: /^--hard$/, warning: 'discards uncommitted changes' },
  { program: /^git$/, needs: /^(?:clean|restore)$/, warning: 'discards uncommitted changes' },
  { program: /^git$/, needs: /^(?:--force|-f|--force-with-lease|--mirror)$/, warning: 'rewrites what others may have' },
  { program: /^git$/, needs: /^(?:-D|filter-branch|filter-repo)$/, warning: 'drops commits' },
  {
    program: /^docker(?:-compose)?$|^podman$/,
    needs: /^(?:rm|rmi|prune|kill|--volumes)$/,
    warning: 'deletes containers, images or volumes',
  },
  { program: /^kubectl$/, needs: /^(?:delete|drain|replace)$/, warning: 'removes what runs in the cluster' },
  { program: /^helm$/, needs: /^(?:uninstall|delete|rollback)$/, warning: 'removes what runs in the cluster' },
  { program: /^(?:terraform|tofu|pulumi)$/, needs: /^destroy$/, warning: 'destroys infrastructure' },
  { program: /^(?:npm|pnpm|yarn)$/, needs: /^(?:unpublish|prune)$/, warning: 'removes packages' },
  { program: /^(?:dropdb|dropuser)$/, warning: 'deletes data of the database' },
  {
    program: /^(?:chmod|chown|icacls)$/,
    needs: /^(?:-R|--recursive|\/t)$/i,
    warning: 'changes the rights of whole folders',
  },
]

const STATEMENTS: readonly (readonly [RegExp, string])[] = [
  [/\bdrop\s+(?:table|database|schema|index|view|role|user|column|collection)\b/i, 'deletes data of the database'],
  [/\btruncate\s+table\b|\bdelete\s+from\b/i, 'deletes data of the database'],
  [/\b(?:flushall|flushdb)\b/i, 'deletes data of the database'],
  [/\bpg_terminate_backend\b/i, 'ends processes'],
]

/** Words before the program itself. */
const WRAPPERS: ReadonlySet<string> = new Set([
  'sudo',
  'doas',
  'env',
  'time',
  'nohup',
  'exec',
  'command',
  'xargs',
  'nice',
  'then',
  'do',
])
/** After these stands a command. */
const RUNS_NEXT: ReadonlySet<string> = new Set(['-exec', '-execdir', 'xargs', '--'])
/** These run what stands in quotes. */
const SHELLS: ReadonlySet<string> = new Set(['ssh', 'sh', 'bash', 'zsh', 'cmd', 'powershell', 'pwsh'])
const MAX_CHARACTERS = 4_000

/** Undefined: nothing that is known to destroy. */
export function findDanger(command: string): string | undefined {
  const text = command.slice(0, MAX_CHARACTERS)
  for (const [pattern, warning] of STATEMENTS) if (pattern.test(text)) return warning
  for (const words of splitCommands(text)) {
    const [program = '', ...rest] = words
    const name =
      program
        .toLowerCase()
        .split(/[\\/]/)
        .at(-1)
        ?.replace(/\.exe$/, '') ?? ''
    const found = DANGERS.find(
      ({ program: named, needs }) => named.test(name) && (needs === undefined || rest.some((word) => needs.test(word))),
    )
    if (found !== undefined) return found.warning
  }
  return undefined
}

/** Each command of a line as its words, without what only wraps it. What another one runs is a command of its own. */
function splitCommands(text: string): string[][] {
  return text.split(/[;\n|&()`]+|\$\(/).flatMap((part) => {
    const raw = part.split(/\s+/).filter((word) => word !== '')
    const words = raw.map(unquote)
    const isShell = words.some((word) => SHELLS.has(word))
    const runs = words.findIndex((word) => RUNS_NEXT.has(word))
    const quoted = isShell ? raw.findIndex((word) => /^["'][^"']/.test(word)) : -1
    const starts = [0, ...(runs === -1 ? [] : [runs + 1]), ...(quoted === -1 ? [] : [quoted])]
    return starts.map((start) => unwrap(words.slice(start)))
  })
}

function unwrap(words: readonly string[]): string[] {
  const start = words.findIndex((word) => !WRAPPERS.has(word) && !word.includes('=') && !word.startsWith('-'))
  return start === -1 ? [] : words.slice(start)
}

function unquote(word: string): string {
  return word.replace(/^["']|["']$/g, '')
}

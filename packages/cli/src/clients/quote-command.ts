/** Words as one line that a person can paste: into a POSIX shell, or into PowerShell and cmd alike. */
export function quoteCommand(words: readonly string[], platform: NodeJS.Platform): string {
  return words.map(platform === 'win32' ? quoteForWindows : quoteForShell).join(' ')
}

function quoteForShell(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

/** A path there holds neither quotes nor, as a rule, anything that both shells would read differently in quotes. */
function quoteForWindows(word: string): string {
  return /^[\w@+=:,./\\-]+$/.test(word) ? word : `"${word.replaceAll('"', '\\"')}"`
}

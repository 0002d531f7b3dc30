import type { DiffLine } from '@switchboard/base'
import type { Style } from './style.ts'

/** With a sign before each line, so that it reads the same without colours. */
export function renderDiff(lines: readonly DiffLine[], style: Style): string[] {
  const paint: Readonly<Record<DiffLine['kind'], (text: string) => string>> = {
    same: (text) => style.dim(`  ${text}`),
    removed: (text) => style.red(`- ${text}`),
    added: (text) => style.green(`+ ${text}`),
    gap: (text) => style.dim(text === '' ? '  …' : `  … ${text}`),
  }
  return lines.map(({ kind, text }) => paint[kind](text))
}

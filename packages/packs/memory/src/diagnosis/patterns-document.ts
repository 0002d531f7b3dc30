/** The page of all patterns, written from them. */
import { commandsFor, type Pattern } from './pattern.ts'
import { AREAS, PATTERNS } from './patterns/index.ts'

export function createPatternsDocument(): string {
  const sections = Object.entries(AREAS).map(([area, patterns]) => {
    const rows = patterns.map(describe)
    return `## ${area}\n\n| pattern | cause | what to do | tags |\n| --- | --- | --- | --- |\n${rows.join('\n')}\n`
  })
  return `# Errors that troubleshoot knows

<!-- Generated from packages/packs/memory/src/diagnosis/patterns. Do not edit. -->

${PATTERNS.length} patterns come with Switchboard. Each is recognised by its signs in the text of an error, and tried with a real text that must lead to
it and a similar one that must not. How a diagnosis is made is in [diagnosis.md](diagnosis.md). A pattern of your own is a remediation:
\`remediation_save\`. Commands are those for Linux; agents get those of their platform.

${sections.join('\n')}`
}

function describe({ id, title, cause, steps, tags, category, severity }: Pattern): string {
  const todo = steps.map((step) => {
    const commands = commandsFor(step, 'linux').map((command) => `\`${command}\``)
    return `${step.what}${commands.length === 0 ? '' : `: ${commands.join(' or ')}`}`
  })
  const cells = [`**${title}**<br>\`${id}\`, ${category}, ${severity}`, cause, todo.join('<br>'), tags.join(', ')]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

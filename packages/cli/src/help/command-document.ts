/** `docs/command.md`, made from the command table. */
import type { CommandSpec } from '../command-line/command-spec.ts'
import { COMMANDS } from '../command-line/commands.ts'
import { GLOBAL_OPTIONS } from '../command-line/global-options.ts'
import { EXIT_CODES } from '../program/exit-code.ts'
import { formatUsage, nameArgument, toPair } from './format-help.ts'

export function createCommandDocument(): string {
  return [
    '# The switchboard command',
    '',
    '<!-- Generated from packages/cli/src/command-line/commands.ts. Do not edit. -->',
    '',
    'In a clone, after the first `npm start`, it is `npx switchboard`. What a command says goes to stdout; progress,',
    'questions and errors go to stderr. With `--json` stdout holds JSON, on failure',
    '`{"ok": false, "type": "error", "error": {"code": "…", "message": "…", "hint": "…", …}}` with a code of [errors.md](errors.md).',
    '',
    '## Commands',
    '',
    '| command | what |',
    '| --- | --- |',
    ...COMMANDS.map(({ name, summary }) => row(`[\`${name}\`](#${toAnchor(name)})`, summary)),
    '',
    '## Options of every command',
    '',
    ...formatPairs('option', GLOBAL_OPTIONS.map(toPair)),
    '',
    '## Exit codes',
    '',
    '| code | meaning |',
    '| --- | --- |',
    ...EXIT_CODES.map(({ code, meaning }) => row(String(code), meaning)),
    '',
    '## Files',
    '',
    '| below the home | what |',
    '| --- | --- |',
    row(
      '`config.json`',
      'The configuration, see [configuration.md](configuration.md); `config.json.bak` is the one before the last `server` command.',
    ),
    row(
      '`logs/cli-<instance>.log`',
      'What one run of this command did, if it failed or lasted; `switchboard logs` merges all of them.',
    ),
    row('`logs/server-<name>-<instance>.log`', 'What a server wrote to stderr meanwhile.'),
    row('`traces/*.jsonl`', 'The audit trail: one entry per tool call.'),
    row('`run/`, `logs/daemon.log`', 'Of the daemon, see [daemon.md](daemon.md).'),
    row(
      '`cache/`',
      'What was learned of servers: their era and their last tools; in `cache/<pack>` what a pack can use again.',
    ),
    '',
    ...COMMANDS.flatMap(createSection),
  ].join('\n')
}

function createSection(spec: CommandSpec): string[] {
  const args = spec.arguments.map((argument): [string, string] => [nameArgument(argument), argument.summary])
  const examples = spec.examples.flatMap(({ command, what }) => [`# ${what}`, command])
  const codes = [0, 2, ...spec.exitCodes].sort((left, right) => left - right)
  return [
    `## ${spec.name}`,
    '',
    spec.summary,
    '',
    '```text',
    formatUsage(spec.name),
    '```',
    '',
    ...(spec.description ?? []).flatMap((paragraph) => [escapeText(paragraph), '']),
    ...(spec.aliases === undefined ? [] : [`Also: ${spec.aliases.map((alias) => `\`${alias}\``).join(', ')}.`, '']),
    ...(args.length === 0 ? [] : [...formatPairs('argument', args), '']),
    ...(spec.options.length === 0 ? [] : [...formatPairs('option', spec.options.map(toPair)), '']),
    ...(examples.length === 0 ? [] : ['```sh', ...examples, '```', '']),
    `Exit codes: ${codes.join(', ')}.`,
    '',
  ]
}

function formatPairs(heading: string, pairs: readonly (readonly [string, string])[]): string[] {
  return [
    `| ${heading} | what |`,
    '| --- | --- |',
    ...pairs.map(([left, right]) => row(`\`${left}\``, escapeText(right))),
  ]
}

function toAnchor(name: string): string {
  return name.replaceAll(' ', '-')
}

/** Angle brackets outside of code would be taken for HTML. */
function escapeText(text: string): string {
  return text.replaceAll('<', '&lt;')
}

function row(...cells: string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

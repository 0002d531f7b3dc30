/** Completion of commands, options and fixed values from the table, and of names by `switchboard completion servers`. */
import type { ArgumentSpec, CommandSpec, OptionSpec } from '../command-line/command-spec.ts'
import { GLOBAL_OPTIONS } from '../command-line/global-options.ts'

export function createCompletionScript(shell: string, commands: readonly CommandSpec[]): string {
  switch (shell) {
    case 'bash':
      return createBashScript(commands)
    case 'zsh':
      return createZshScript(commands)
    default:
      return createFishScript(commands)
  }
}

function namesOf({ name, aliases = [] }: CommandSpec): string[] {
  return [name, ...aliases]
}

function firstWords(commands: readonly CommandSpec[]): string[] {
  return [...new Set(commands.flatMap(namesOf).map((name) => name.split(' ')[0] ?? name))]
}

function secondWords(group: string, commands: readonly CommandSpec[]): string[] {
  return commands
    .flatMap(namesOf)
    .flatMap((name) => (name.startsWith(`${group} `) ? [name.slice(group.length + 1)] : []))
}

function groupsOf(commands: readonly CommandSpec[]): string[] {
  return firstWords(commands).filter((word) => secondWords(word, commands).length > 0)
}

function optionsOf(spec: CommandSpec): readonly OptionSpec[] {
  return [...spec.options, ...GLOBAL_OPTIONS]
}

function createBashScript(commands: readonly CommandSpec[]): string {
  const groups = groupsOf(commands)
  const cases = commands.map((spec) => {
    const words = [
      ...optionsOf(spec).map(({ name }) => `--${name}`),
      ...spec.arguments.flatMap(({ choices = [] }) => choices),
    ]
    const [first] = spec.arguments
    const names = first?.completes === undefined ? '' : ` names=${first.completes}`
    const called = namesOf(spec).map((name) => `'${name}'`)
    return `    ${called.join(' | ')}) words='${words.join(' ')}'${names} ;;`
  })
  const choices = commands.flatMap((spec) =>
    spec.options.flatMap(({ name, choices, completes }) => [
      ...(choices === undefined ? [] : [`    '${spec.name} --${name}') words='${choices.join(' ')}' ;;`]),
      ...(completes === undefined ? [] : [`    '${spec.name} --${name}') words=$(_switchboard_names ${completes}) ;;`]),
    ]),
  )
  return `# bash completion of switchboard: source <(switchboard completion bash)
_switchboard_names() {
  "\${COMP_WORDS[0]}" completion "$1" 2>/dev/null
}
_switchboard() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} command= word words= names= own=0 index
  COMPREPLY=()
  for ((index = 1; index < COMP_CWORD; index++)); do
    word=\${COMP_WORDS[index]}
    if [[ $word == -- ]]; then
      COMPREPLY=($(compgen -c -f -- "$current"))
      return
    fi
    case $word in
      -*) continue ;;
    esac
    if [[ -z $command ]]; then
      command=$word
    elif [[ ' ${groups.join(' ')} ' == *" $command "* ]]; then
      command="$command $word"
    else
      own=$((own + 1))
    fi
  done
  case "$command $previous" in
${choices.join('\n')}
  esac
  if [[ -n $words ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    return
  fi
  case $previous in
    --config | --output | -o) COMPREPLY=($(compgen -f -- "$current")); return ;;
    --home | --cwd) COMPREPLY=($(compgen -d -- "$current")); return ;;
  esac
  case $command in
    '') words='${[...firstWords(commands), ...GLOBAL_OPTIONS.map(({ name }) => `--${name}`)].join(' ')}' ;;
${groups.map((group) => `    '${group}') words='${secondWords(group, commands).join(' ')}' ;;`).join('\n')}
${cases.join('\n')}
  esac
  # Names are asked for where one is expected, and only there.
  if [[ -n $names && $own == 0 && $current != -* ]]; then
    words="$words $(_switchboard_names $names)"
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _switchboard switchboard
`
}

function createZshScript(commands: readonly CommandSpec[]): string {
  const groups = groupsOf(commands)
  const plain = commands
    .flatMap((spec) => namesOf(spec).map((name) => ({ ...spec, name })))
    .filter(({ name }) => !name.includes(' '))
  const describe = (name: string, summary: string): string => `${quoteZsh(name)}\\:${quoteZsh(summary)}`
  const first = [
    ...plain.map(({ name, summary }) => describe(name, summary)),
    ...groups.map((group) => describe(group, `${secondWords(group, commands).join(', ')}`)),
  ]
  const caseOf = (spec: CommandSpec, word: string): string =>
    `        ${word}) _arguments ${[...optionsOf(spec).map(toZshOption), ...spec.arguments.map(toZshArgument), ...(spec.rest === undefined ? [] : ["'*:command:_normal'"])].join(' ')} ;;`
  const groupCases = groups.map((group) => {
    const own = commands
      .flatMap((spec) => namesOf(spec).map((name) => ({ ...spec, name })))
      .filter(({ name }) => name.startsWith(`${group} `))
    return `        ${group})
          _arguments -C '1: :((${own.map(({ name, summary }) => describe(name.slice(group.length + 1), summary)).join(' ')}))' '*::arg:->${group}'
          if [[ $state == ${group} ]]; then
            case $words[1] in
${own.map((spec) => caseOf(spec, spec.name.slice(group.length + 1))).join('\n')}
            esac
          fi
          ;;`
  })
  return `#compdef switchboard
# zsh completion of switchboard: save as _switchboard in a folder of $fpath
_switchboard_names() {
  local -a names
  names=(\${(f)"$(switchboard completion $1 2>/dev/null)"})
  compadd -a names
}
_switchboard_servers() { _switchboard_names servers }
_switchboard_tools() { _switchboard_names tools }
_switchboard() {
  local state line
  _arguments -C '1: :((${first.join(' ')}))' '*::arg:->command'
  case $state in
    command)
      case $line[1] in
${plain.map((spec) => caseOf(spec, spec.name)).join('\n')}
${groupCases.join('\n')}
      esac
      ;;
  esac
}
compdef _switchboard switchboard
`
}

function toZshArgument(argument: ArgumentSpec, index: number): string {
  const { name, repeats } = argument
  return `'${repeats === true ? '*' : index + 1}:${name}:${toZshValues(argument) ?? ''}'`
}

function toZshValues({ choices, completes }: Pick<OptionSpec, 'choices' | 'completes'>): string | undefined {
  if (completes !== undefined) return `_switchboard_${completes}`
  return choices === undefined ? undefined : `(${choices.join(' ')})`
}

function toZshOption(option: OptionSpec): string {
  const { name, type, summary } = option
  const values = toZshValues(option) ?? ' '
  const repeat = type === 'list' ? '*' : ''
  const text = summary.replaceAll("'", "'\\''").replace(/[[\]:]/g, '\\$&')
  return `'${repeat}--${name}[${text}]${type === 'flag' ? '' : `:${name}:${values}`}'`
}

function quoteZsh(text: string): string {
  return text.replaceAll("'", "'\\''").replace(/[\s():;"]/g, '\\$&')
}

function createFishScript(commands: readonly CommandSpec[]): string {
  const quote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  const groups = groupsOf(commands)
  const lines = [
    '# fish completion of switchboard: save as ~/.config/fish/completions/switchboard.fish',
    'complete -c switchboard -f',
    ...commands.flatMap((spec) =>
      namesOf(spec).flatMap((name) =>
        name.includes(' ')
          ? []
          : [`complete -c switchboard -n __fish_use_subcommand -a ${name} -d ${quote(spec.summary)}`],
      ),
    ),
    ...groups.map(
      (group) =>
        `complete -c switchboard -n __fish_use_subcommand -a ${group} -d ${quote(secondWords(group, commands).join(', '))}`,
    ),
    ...GLOBAL_OPTIONS.map((option) => `complete -c switchboard ${toFishOption(option, quote)}`),
  ]
  for (const spec of commands.flatMap((one) => namesOf(one).map((name) => ({ ...one, name })))) {
    const [first = '', second] = spec.name.split(' ')
    const seen = `__fish_seen_subcommand_from ${first}`
    const condition = second === undefined ? seen : `${seen}; and __fish_seen_subcommand_from ${second}`
    if (second !== undefined) {
      const others = secondWords(first, commands).join(' ')
      lines.push(
        `complete -c switchboard -n ${quote(`${seen}; and not __fish_seen_subcommand_from ${others}`)} -a ${second} -d ${quote(spec.summary)}`,
      )
    }
    for (const option of spec.options)
      lines.push(`complete -c switchboard -n ${quote(condition)} ${toFishOption(option, quote)}`)
    for (const argument of spec.arguments) {
      const values = toFishValues(argument)
      if (values !== undefined) lines.push(`complete -c switchboard -n ${quote(condition)} -a ${quote(values)}`)
    }
  }
  return `${lines.join('\n')}\n`
}

function toFishValues({ choices, completes }: Pick<OptionSpec, 'choices' | 'completes'>): string | undefined {
  return completes === undefined ? choices?.join(' ') : `(switchboard completion ${completes} 2>/dev/null)`
}

function toFishOption(option: OptionSpec, quote: (text: string) => string): string {
  const { name, short, type, summary } = option
  const parts = [`-l ${name}`]
  if (short !== undefined) parts.push(`-s ${short}`)
  const values = toFishValues(option)
  if (values !== undefined) parts.push(`-x -a ${quote(values)}`)
  else if (type !== 'flag') parts.push('-r -F')
  return `${parts.join(' ')} -d ${quote(summary)}`
}

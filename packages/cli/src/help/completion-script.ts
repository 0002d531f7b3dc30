/** Completion of commands, options and fixed values, from the table. Nothing is run while somebody types. */
import type { CommandSpec, OptionSpec } from '../command-line/command-spec.ts'
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

function firstWords(commands: readonly CommandSpec[]): string[] {
  return [...new Set(commands.map(({ name }) => name.split(' ')[0] ?? name))]
}

function secondWords(group: string, commands: readonly CommandSpec[]): string[] {
  return commands.flatMap(({ name }) => (name.startsWith(`${group} `) ? [name.slice(group.length + 1)] : []))
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
    return `    '${spec.name}') words='${words.join(' ')}' ;;`
  })
  const choices = commands.flatMap((spec) =>
    spec.options.flatMap(({ name, choices }) =>
      choices === undefined ? [] : [`    '${spec.name} --${name}') words='${choices.join(' ')}' ;;`],
    ),
  )
  return `# bash completion of switchboard: source <(switchboard completion bash)
_switchboard() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} command= word words= index
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
      break
    else
      break
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
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _switchboard switchboard
`
}

function createZshScript(commands: readonly CommandSpec[]): string {
  const groups = groupsOf(commands)
  const plain = commands.filter(({ name }) => !name.includes(' '))
  const describe = (name: string, summary: string): string => `${quoteZsh(name)}\\:${quoteZsh(summary)}`
  const first = [
    ...plain.map(({ name, summary }) => describe(name, summary)),
    ...groups.map((group) => describe(group, `${secondWords(group, commands).join(', ')}`)),
  ]
  const caseOf = (spec: CommandSpec, word: string): string =>
    `        ${word}) _arguments ${[...optionsOf(spec).map(toZshOption), ...spec.arguments.map(({ name, choices }, index) => `'${index + 1}:${name}:${choices === undefined ? '' : `(${choices.join(' ')})`}'`), ...(spec.rest === undefined ? [] : ["'*:command:_normal'"])].join(' ')} ;;`
  const groupCases = groups.map((group) => {
    const own = commands.filter(({ name }) => name.startsWith(`${group} `))
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

function toZshOption({ name, type, summary, choices }: OptionSpec): string {
  const values = choices === undefined ? ' ' : `(${choices.join(' ')})`
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
    ...commands.flatMap(({ name, summary }) =>
      name.includes(' ') ? [] : [`complete -c switchboard -n __fish_use_subcommand -a ${name} -d ${quote(summary)}`],
    ),
    ...groups.map(
      (group) =>
        `complete -c switchboard -n __fish_use_subcommand -a ${group} -d ${quote(secondWords(group, commands).join(', '))}`,
    ),
    ...GLOBAL_OPTIONS.map((option) => `complete -c switchboard ${toFishOption(option, quote)}`),
  ]
  for (const spec of commands) {
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
    for (const { choices } of spec.arguments) {
      if (choices !== undefined)
        lines.push(`complete -c switchboard -n ${quote(condition)} -a ${quote(choices.join(' '))}`)
    }
  }
  return `${lines.join('\n')}\n`
}

function toFishOption({ name, short, type, summary, choices }: OptionSpec, quote: (text: string) => string): string {
  const parts = [`-l ${name}`]
  if (short !== undefined) parts.push(`-s ${short}`)
  if (choices !== undefined) parts.push(`-x -a ${quote(choices.join(' '))}`)
  else if (type !== 'flag') parts.push('-r -F')
  return `${parts.join(' ')} -d ${quote(summary)}`
}

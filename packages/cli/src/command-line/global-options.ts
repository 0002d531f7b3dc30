import type { OptionSpec } from './command-spec.ts'

/** Understood by every command, before or behind its name. */
export const GLOBAL_OPTIONS: readonly OptionSpec[] = [
  { name: 'json', type: 'flag', summary: 'Print JSON, on failure too: {"ok":false,"error":{…}}.' },
  {
    name: 'config',
    type: 'text',
    value: '<file>',
    summary: 'The configuration file. Default: config.json in the home.',
  },
  {
    name: 'home',
    type: 'text',
    value: '<dir>',
    summary: 'Where Switchboard keeps its files. Default: SWITCHBOARD_HOME, or ~/.switchboard.',
  },
  { name: 'no-color', type: 'flag', summary: 'No colours; NO_COLOR and FORCE_COLOR are honoured as well.' },
  { name: 'verbose', type: 'flag', summary: "Say more: the servers' log messages, and causes of errors." },
  { name: 'help', short: 'h', type: 'flag', summary: 'Show the help of a command.' },
  { name: 'version', short: 'V', type: 'flag', summary: 'Show the version.' },
]

import type { OptionSpec } from './command-spec.ts'

/** The filters of `logs`, and of `server logs`, which has its source already. */
export const LOG_FILTERS: readonly OptionSpec[] = [
  { name: 'since', type: 'text', value: '<time>', summary: 'Not older than this.' },
  { name: 'until', type: 'text', value: '<time>', summary: 'Not newer than this.' },
  {
    name: 'level',
    type: 'text',
    value: '<level>',
    choices: ['debug', 'info', 'warn', 'error'],
    summary: 'This level or a more serious one.',
  },
  { name: 'cat', type: 'text', value: '<category>', summary: 'A category and what is below it: pool, pool.restart.' },
  { name: 'inst', type: 'text', value: '<id>', summary: 'One instance.' },
  { name: 'trace', type: 'text', value: '<id>', summary: 'One trace id: the whole way of one call.' },
  {
    name: 'grep',
    type: 'text',
    value: '<text>',
    summary: 'Text in the message or its data; /pattern/ for a regular expression.',
  },
  { name: 'limit', type: 'text', value: '<n>', summary: 'Only the last n lines. Default: 200.' },
  { name: 'follow', short: 'f', type: 'flag', summary: 'Go on with new lines as they are written.' },
]

export const LOG_OPTIONS: readonly OptionSpec[] = [
  ...LOG_FILTERS,
  { name: 'source', type: 'text', value: '<name>', summary: 'One file or family: cli, server, server-github, daemon.' },
]

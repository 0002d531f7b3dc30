/** Every fence of code in README, CONTRIBUTING and docs is checked here, or run by the test that is named. */
import { describe, expect, test } from 'vitest'
import { checkFence } from './check-fence.ts'
import { listPages, readFences } from './read-fences.ts'
import { splitCommandLine } from './split-command-line.ts'

test.each(listPages())('every fence of %s is right', async (page) => {
  const problems: string[] = []
  for (const fence of readFences(page)) {
    const problem = await checkFence(fence)
    if (problem !== undefined) problems.push(`${page}:${fence.line} (${fence.language}): ${problem}`)
  }
  expect(problems).toEqual([])
})

describe('a fence is refused', () => {
  const check = (info: string, text: string, page = 'docs/x.md') => {
    const [fence] = readFences(page, `\`\`\`${info}\n${text}\n\`\`\``)
    if (fence === undefined) throw new Error('There is no fence')
    return checkFence(fence)
  }

  test.each([
    ['', 'anything', /no language/],
    ['perl', 'print 1', /nobody checks/],
    ['sh', 'switchboard stauts', /no command "stauts"/],
    ['sh', 'switchboard server lst', /no command "server lst"/],
    ['sh', 'switchboard status --no-such', /no option --no-such/],
    ['sh', 'switchboard up && rm -rf ~', /nobody knows the program "rm"/],
    ['sh', 'npm run nothing', /no script "nothing"/],
    ['console', '$ npx switchboard call', /<tool> is missing/],
    ['text', 'switchboard status', /is a command/],
    ['json', '{"a": 1,}', /JSON/],
    ['json', '{"mcpServers": {"a": {"comand": "x"}}}', /comand: unknown key/],
    ['jsonc', '{"a": }', /./],
    ['jsonc', '{"modes": {"a": {"tols": {}}}, }', /tols: unknown key/],
    ['toml', 'a = ', /./],
    ['ts', 'const a: = 1', /./],
  ])('%s: %s', async (info, text, problem) => {
    expect(await check(info, text)).toMatch(problem)
  })

  test('that is not closed', () => {
    expect(() => readFences('docs/x.md', '```sh\nswitchboard up')).toThrow('a fence is not closed')
  })
})

test('a line of a shell is split into commands and words', () => {
  expect(splitCommandLine(`switchboard call a '{"b": "c d"}' # why`)).toEqual([
    ['switchboard', 'call', 'a', '{"b": "c d"}'],
  ])
  expect(splitCommandLine('switchboard completion fish > ~/x')).toEqual([['switchboard', 'completion', 'fish']])
  expect(splitCommandLine(`mkdir -p ~/"a b" && cd x#y | less ''`)).toEqual([
    ['mkdir', '-p', '~/a b'],
    ['cd', 'x#y'],
    ['less', ''],
  ])
})

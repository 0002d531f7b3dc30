/**
 * The least a stdio MCP server can be: legacy era, one tool that says what it is told. As fast as Node allows (all
 * answers to one chunk leave in one write), so that the client's own cost is what a benchmark sees.
 */
import { answerEcho } from './echo-answers.ts'

let rest = ''

process.stdin.setEncoding('utf8')
process.stdin.on('data', (chunk: string) => {
  const text = rest === '' ? chunk : rest + chunk
  let answers = ''
  let start = 0
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
    const answer = answerEcho(text.slice(start, end), 'legacy')
    if (answer !== undefined) answers += `${answer}\n`
    start = end + 1
  }
  rest = start === 0 ? text : text.slice(start)
  if (answers !== '') process.stdout.write(answers)
})
// Whoever reads us is gone: nothing is left to do.
process.stdout.on('error', () => process.exit(0))

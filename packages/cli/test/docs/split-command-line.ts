/** A line of a shell as the commands in it, without comments: enough for what our pages write, and no more. */

export function splitCommandLine(line: string): string[][] {
  const commands: string[][] = [[]]
  let word: string | undefined
  let quote = ''
  const end = (): void => {
    if (word !== undefined) commands.at(-1)?.push(word)
    word = undefined
  }
  for (let at = 0; at < line.length; at++) {
    const character = line.charAt(at)
    if (quote !== '') {
      if (character === quote) quote = ''
      else word = (word ?? '') + character
    } else if (character === '"' || character === "'") {
      quote = character
      word ??= ''
    } else if (character === ' ') end()
    else if (character === '#' && word === undefined) break
    else if (line.startsWith('&&', at) || character === '|') {
      end()
      commands.push([])
      if (character === '&') at++
    } else word = (word ?? '') + character
  }
  end()
  // Where its output goes is no word of a command.
  return commands.map(withoutRedirection).filter((words) => words.length > 0)
}

function withoutRedirection(words: readonly string[]): string[] {
  return words.filter((word, at) => word !== '>' && words[at - 1] !== '>')
}

import { describe, expect, it } from 'vitest'
import { joinInstructions } from '../../src/router/join-instructions.ts'

const words = (characters: number): string => 'word '.repeat(characters / 5).trim()

describe('instructions', () => {
  it('of several come the shortest first, packs without what makes them providers', () => {
    const joined = joinInstructions([
      { provider: 'files', text: ' Read before you write. ' },
      { provider: 'mute', text: ' ' },
      { provider: 'pack:debug', text: 'Debug.' },
    ])
    expect(joined).toBe('# debug\n\nDebug.\n\n# files\n\nRead before you write.')
  })

  it('of the one server there is pass as they are, with our own beside it', () => {
    const one = { provider: 'files', text: 'Read.' }
    expect(joinInstructions([one, { provider: 'switchboard', text: '' }])).toBe('Read.')
    expect(joinInstructions([one, { provider: 'pack:debug', text: '' }])).toBe('# files\n\nRead.')
    expect(joinInstructions([{ provider: 'mute', text: '' }])).toBe('')
  })

  it('stay within 500 tokens: what does not fit is cut at a word, and the longest are left out', () => {
    const all = [
      { provider: 'longest', text: words(5_000) },
      { provider: 'long', text: words(1_500) },
      { provider: 'middle', text: words(1_000) },
      { provider: 'short', text: 'Short.' },
    ]
    const joined = joinInstructions(all)
    expect(joined.length).toBeLessThanOrEqual(2_000)
    expect(joined.length).toBeGreaterThan(1_900)
    expect(joined.startsWith(`# short\n\nShort.\n\n# middle\n\n${words(1_000)}\n\n# long\n\nword`)).toBe(true)
    expect(joined).toMatch(/word …$/)
    expect(joined).not.toContain('longest')
    expect(joinInstructions([{ provider: 'longest', text: words(5_000) }]).length).toBeLessThanOrEqual(2_000)
    expect(joinInstructions([{ provider: 'x', text: 'x'.repeat(5_000) }])).toMatch(/^x{1998} …$/)
  })

  it('for modes reach the agent, however much others have to say', () => {
    const others = Array.from({ length: 30 }, (_, index) => ({ provider: `s${index}`, text: words(100) }))
    const modes = { provider: 'switchboard', text: `Declare a mode. ${words(300)}` }
    const joined = joinInstructions([...others, modes])
    expect(joined.length).toBeLessThanOrEqual(2_000)
    expect(joined).toContain(modes.text)
  })
})

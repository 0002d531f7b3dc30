import { didYouMean, nearestName, nearestNames } from '@switchboard/base'
import { describe, expect, it } from 'vitest'

describe('nearestName', () => {
  it.each([
    ['a missing letter', 'serch', ['fetch', 'search'], 'search'],
    ['a letter too many', 'timeoutt', ['timeout', 'tools'], 'timeout'],
    ['a wrong letter', 'commend', ['command', 'comment_all'], 'command'],
    ['swapped neighbours, as one mistake', 'ulr', ['url', 'env'], 'url'],
    ['another case', 'READ_FILE', ['write_file', 'read_file'], 'read_file'],
    ['words in another order', 'file_read', ['write_file', 'read_file'], 'read_file'],
    ['another way of joining words', 'readTextFile', ['read_text_file', 'write_file'], 'read_text_file'],
    ['a missing prefix', 'run_command', ['shell_run_command', 'shell_kill'], 'shell_run_command'],
    ['the beginning of a long name', 'create_issue', ['github_list', 'create_issue_comment'], 'create_issue_comment'],
    ['a name with something added', 'mygrep_search_files', ['grep_search_files', 'web'], 'grep_search_files'],
  ])('sees through %s', (_title, name, candidates, expected) => {
    expect(nearestName(name, candidates)).toBe(expected)
  })

  it.each([
    ['zzz', ['abc', 'def']],
    ['a', ['b', 'c']],
    ['ab', ['xy']],
    ['e', ['execute', 'else']],
    ['', ['a', 'b']],
    ['name', []],
    ['name', ['']],
  ])('offers nothing for %j among %j', (name, candidates) => {
    expect(nearestName(name, candidates)).toBeUndefined()
  })

  it('prefers the exact name in another case to a smaller-looking mistake', () => {
    expect(nearestName('Timeout', ['timeouts', 'TIMEOUT'])).toBe('TIMEOUT')
  })

  it('prefers a typing mistake to a shared word', () => {
    expect(nearestName('list_file', ['list', 'list_files', 'file'])).toBe('list_files')
  })

  it('finds a long name among thousands of similar ones', () => {
    const candidates = Array.from({ length: 5000 }, (_, index) => `server_${index}_does_something_long_${index * 7}`)
    expect(nearestName('server_77_does_somethin_long_539', candidates)).toBe('server_77_does_something_long_539')
  })

  it('takes names of any length and alphabet', () => {
    const long = 'x'.repeat(100_000)
    expect(nearestName(`${long}y`, [long, 'short'])).toBe(long)
    expect(nearestName('größe_lesn', ['größe_lesen', '読む'])).toBe('größe_lesen')
  })
})

describe('nearestNames', () => {
  it('lists the nearest first and no more than the limit', () => {
    const candidates = ['read_file', 'read_files', 'red_file', 'write_file', 'unrelated']
    expect(nearestNames('read_file', candidates, 2)).toEqual(['read_file', 'read_files'])
    expect(nearestNames('read_file', candidates)).toHaveLength(3)
  })

  it('does not depend on the order of the candidates', () => {
    const candidates = ['bat', 'cat', 'rat', 'hat']
    expect(nearestNames('zat', candidates)).toEqual(['bat', 'cat', 'hat'])
    expect(nearestNames('zat', candidates.toReversed())).toEqual(['bat', 'cat', 'hat'])
  })

  it('names a repeated candidate once', () => {
    expect(nearestNames('cat', ['cat', 'cat'])).toEqual(['cat'])
  })

  it('is empty for a limit of none', () => {
    expect(nearestNames('cat', ['cat'], 0)).toEqual([])
  })
})

describe('didYouMean', () => {
  it.each([
    [[], undefined],
    [[undefined], undefined],
    [['one'], 'Did you mean "one"?'],
    [['one', 'other'], 'Did you mean "one" or "other"?'],
  ])('asks about %j', (near, question) => {
    expect(didYouMean(...near)).toBe(question)
  })
})

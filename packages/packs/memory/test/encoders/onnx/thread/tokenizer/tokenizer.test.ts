import { describe, expect, test } from 'vitest'
import { createTokenizer } from '../../../../../src/encoders/onnx/thread/tokenizer/tokenizer.ts'
import { byteTokenizer, WORD_PIECES, wordPieceTokenizer } from '../../../../helpers/small-tokenizer.ts'

describe('WordPiece', () => {
  const tokenizer = createTokenizer(wordPieceTokenizer)
  const piecesOf = (text: string) => tokenizer.encode(text).map((id) => WORD_PIECES[id])

  test.each([
    ['the car crashed.', ['the', 'car', 'crash', '##ed', '.']],
    ['THE  Car,\tbread', ['the', 'car', ',', 'bread']],
    ['Café', ['cafe']],
    ['automobiles', ['auto', '##mobile', '##s']],
    ['東car', ['東', 'car']],
    ['zebra car', ['[UNK]', 'car']],
    ['[SEP]', ['[UNK]', '[UNK]', '[UNK]']],
    ['', []],
    ['\u0000car\u0007', ['car']],
    [`${'car'.repeat(10)} car`, ['[UNK]', 'car']],
  ])('splits %j', (text, pieces) => {
    expect(piecesOf(text)).toEqual(['[CLS]', ...pieces, '[SEP]'])
  })

  test('cuts a text where the model ends', () => {
    expect(piecesOf('car '.repeat(100_000))).toEqual(['[CLS]', ...new Array(6).fill('car'), '[SEP]'])
  })
})

describe('byte-level BPE', () => {
  const tokenizer = createTokenizer(byteTokenizer)
  const vocabulary = Object.keys(byteTokenizer.model.vocab)
  const piecesOf = (text: string) =>
    tokenizer
      .encode(text)
      .slice(1, -1)
      .map((id) => vocabulary[id])

  test.each([
    ['hello world', ['hello', 'Ġw', 'o', 'r', 'l', 'd']],
    ['é', ['Ã', '©']],
    ['hello\n\nhello', ['hello', 'Ċ', 'Ċ', 'hello']],
    ['hello\n\n', ['hello', 'ĊĊ']],
    ['hello   world', ['hello', 'Ġ', 'Ġ', 'Ġw', 'o', 'r', 'l', 'd']],
    ["hello's", ['hello', "'", 's']],
  ])('splits %j', (text, pieces) => {
    expect(piecesOf(text)).toEqual(pieces)
  })

  test('stands between the signs of its model', () => {
    expect(tokenizer.encode('h')).toEqual([0, 2, 1])
  })
})

test.each([
  ['nothing', null, 'model'],
  ['Unigram', { ...wordPieceTokenizer, model: { type: 'Unigram', vocab: {} } }, '"Unigram", which is not supported'],
  ['another way to split', { ...wordPieceTokenizer, pre_tokenizer: { type: 'Metaspace' } }, '"Metaspace"'],
  ['another normalizer', { ...wordPieceTokenizer, normalizer: { type: 'Precompiled' } }, '"Precompiled"'],
  [
    'a sequence of nothing',
    { ...wordPieceTokenizer, normalizer: { type: 'Sequence', normalizers: [] } },
    'normalizers',
  ],
  ['another frame', { ...wordPieceTokenizer, post_processor: { type: 'Odd' } }, '"Odd"'],
])('refuses %s with its name', (_name, file, told) => {
  expect(() => createTokenizer(file)).toThrow(told)
})

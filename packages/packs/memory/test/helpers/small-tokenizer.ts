/** tokenizer.json files as they are published, with few words in them. */
export const WORD_PIECES = [
  '[PAD]',
  '[UNK]',
  '[CLS]',
  '[SEP]',
  'the',
  'car',
  'crash',
  '##ed',
  'bread',
  ',',
  '.',
  'cafe',
  '東',
  '##s',
  'auto',
  '##mobile',
] as const

export const wordPieceTokenizer = {
  version: '1.0',
  truncation: { max_length: 8, strategy: 'LongestFirst', stride: 0, direction: 'Right' },
  padding: { strategy: 'BatchLongest', pad_id: 0, pad_token: '[PAD]' },
  normalizer: {
    type: 'BertNormalizer',
    clean_text: true,
    handle_chinese_chars: true,
    strip_accents: null,
    lowercase: true,
  },
  pre_tokenizer: { type: 'BertPreTokenizer' },
  post_processor: {
    type: 'TemplateProcessing',
    single: [
      { SpecialToken: { id: '[CLS]', type_id: 0 } },
      { Sequence: { id: 'A', type_id: 0 } },
      { SpecialToken: { id: '[SEP]', type_id: 0 } },
    ],
    special_tokens: {
      '[CLS]': { id: '[CLS]', ids: [2], tokens: ['[CLS]'] },
      '[SEP]': { id: '[SEP]', ids: [3], tokens: ['[SEP]'] },
    },
  },
  model: {
    type: 'WordPiece',
    unk_token: '[UNK]',
    continuing_subword_prefix: '##',
    max_input_chars_per_word: 20,
    vocab: Object.fromEntries(WORD_PIECES.map((piece, id) => [piece, id])),
  },
}

const BYTE_PIECES = [
  '<s>',
  '</s>',
  'h',
  'e',
  'l',
  'o',
  'Ġ',
  'w',
  'r',
  'd',
  'he',
  'll',
  'hell',
  'hello',
  'Ġw',
  'Ã',
  '©',
  'Ċ',
  'ĊĊ',
  "'",
  's',
]

export const byteTokenizer = {
  normalizer: { type: 'NFC' },
  pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true },
  post_processor: { type: 'RobertaProcessing', sep: ['</s>', 1], cls: ['<s>', 0] },
  model: {
    type: 'BPE',
    vocab: Object.fromEntries(BYTE_PIECES.map((piece, id) => [piece, id])),
    merges: ['h e', ['l', 'l'], 'he ll', 'hell o', 'Ġ w', 'Ċ Ċ'],
  },
}

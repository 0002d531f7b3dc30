/** Why the two differ, by language, side and kind: found out by reading the places. */
import type { Difference } from './compare.ts'

const WHY: Readonly<Record<string, string>> = {
  'python ours variable':
    'in a branch of if or else, or the second of a chain `a = b = 1`: ctags tells the first alone',
  'go ours field': 'in a struct that ctags gives up on: tags with brackets, or a struct in a struct',
  'java ctags enumConstant': 'ctags reads calls in the arguments of a constant as constants',
  'java ctags method': 'a constant with brackets and a body, which ctags takes for a method',
  'java ctags field': 'the default of an annotation, which ctags takes for a field; files that a program wrote',
  'java ours enumerator': 'a constant with brackets and a body, which ctags takes for a method',
  'java ours method': 'in a class without a name that is the value of a field',
  'java ours field': 'in a class without a name that is the value of a field',
  'ruby ctags class': 'in the text of a here document, which is a program of another file',
  'ruby ctags module': 'in the text of a here document, which is a program of another file',
  'ruby ctags method': 'in the text of a here document, which is a program of another file',
  'ruby ctags singletonMethod': 'methods of an object, told by the name of the object; texts of here documents',
  'ruby ctags constant': 'a comparison (`Duration == other`), which ctags takes for an assignment',
  'ruby ctags alias': 'names with `?` and `=` at their end, which ctags cuts off',
  'ruby ours method': 'made by define_method; methods of an object; after what ctags takes for an end',
  'ruby ours accessor': 'made by cattr_accessor and mattr_accessor of Rails',
  'ruby ours alias': 'names with `?` and `=` at their end, which ctags cuts off',
  'ruby ours constant': 'set in another module (`A::B = 1`)',
}

export function explain(language: string, { side, kind }: Difference): string {
  return WHY[`${language} ${side} ${kind}`] ?? ''
}

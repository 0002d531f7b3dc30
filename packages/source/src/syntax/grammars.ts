/**
 * Where names are declared in each language, by the words of its grammar. A table and no code: what a language lacks here is
 * one line. `names`: where the name of a declaration stands; without one it is the field `name`.
 */
import type { GrammarName } from '../languages.ts'

export interface GrammarTable {
  /** By the type of a node: what it declares, in a word. */
  readonly declarations: Readonly<Record<string, string>>
  /** Nodes that only stand around a declaration, and the field it is in; empty: the last of its children. */
  readonly wrappers?: Readonly<Record<string, string>>
  /** Nodes that declare one thing for each of these children. */
  readonly lists?: Readonly<Record<string, readonly string[]>>
  readonly imports: readonly string[]
  /** What stands before a declaration and belongs to it. */
  readonly leading: readonly string[]
}

const SCRIPT: GrammarTable = {
  declarations: {
    function_declaration: 'function',
    generator_function_declaration: 'function',
    function_signature: 'function',
    class_declaration: 'class',
    abstract_class_declaration: 'class',
    class: 'class',
    interface_declaration: 'interface',
    enum_declaration: 'enum',
    type_alias_declaration: 'type',
    internal_module: 'namespace',
    module: 'namespace',
    method_definition: 'method',
    method_signature: 'method',
    abstract_method_signature: 'method',
    property_signature: 'property',
    public_field_definition: 'property',
    field_definition: 'property',
    lexical_declaration: 'variable',
    variable_declaration: 'variable',
  },
  wrappers: { export_statement: 'declaration', ambient_declaration: '', expression_statement: '' },
  lists: {
    lexical_declaration: ['variable_declarator'],
    variable_declaration: ['variable_declarator'],
  },
  imports: ['import_statement'],
  leading: ['comment', 'decorator'],
}

const C: GrammarTable = {
  declarations: {
    function_definition: 'function',
    struct_specifier: 'struct',
    union_specifier: 'union',
    enum_specifier: 'enum',
    class_specifier: 'class',
    concept_definition: 'concept',
    namespace_definition: 'namespace',
    type_definition: 'type',
    alias_declaration: 'type',
    declaration: 'variable',
    field_declaration: 'field',
    preproc_def: 'macro',
    preproc_function_def: 'macro',
  },
  wrappers: { template_declaration: '' },
  imports: ['preproc_include', 'using_declaration'],
  leading: ['comment'],
}

export const GRAMMARS: Readonly<Record<GrammarName, GrammarTable>> = {
  typescript: SCRIPT,
  tsx: SCRIPT,
  javascript: SCRIPT,
  c: C,
  cpp: C,
  python: {
    declarations: { function_definition: 'function', class_definition: 'class', assignment: 'variable' },
    wrappers: { decorated_definition: 'definition', expression_statement: '' },
    imports: ['import_statement', 'import_from_statement', 'future_import_statement'],
    leading: ['comment'],
  },
  go: {
    declarations: {
      function_declaration: 'function',
      method_declaration: 'method',
      type_declaration: 'type',
      const_declaration: 'constant',
      var_declaration: 'variable',
    },
    lists: {
      type_declaration: ['type_spec', 'type_alias'],
      const_declaration: ['const_spec'],
      var_declaration: ['var_spec'],
    },
    imports: ['import_declaration', 'package_clause'],
    leading: ['comment'],
  },
  rust: {
    declarations: {
      function_item: 'function',
      function_signature_item: 'function',
      struct_item: 'struct',
      enum_item: 'enum',
      union_item: 'union',
      trait_item: 'trait',
      impl_item: 'impl',
      mod_item: 'module',
      type_item: 'type',
      const_item: 'constant',
      static_item: 'variable',
      macro_definition: 'macro',
    },
    imports: ['use_declaration', 'extern_crate_declaration'],
    leading: ['line_comment', 'block_comment', 'attribute_item', 'inner_attribute_item'],
  },
  java: {
    declarations: {
      class_declaration: 'class',
      interface_declaration: 'interface',
      enum_declaration: 'enum',
      record_declaration: 'record',
      annotation_type_declaration: 'annotation',
      method_declaration: 'method',
      constructor_declaration: 'constructor',
      field_declaration: 'field',
      constant_declaration: 'constant',
    },
    imports: ['import_declaration', 'package_declaration'],
    leading: ['line_comment', 'block_comment'],
  },
  ruby: {
    declarations: {
      method: 'method',
      singleton_method: 'method',
      class: 'class',
      module: 'module',
      assignment: 'variable',
    },
    imports: [],
    leading: ['comment'],
  },
}

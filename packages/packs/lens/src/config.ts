/** What a person may say about the lens: `packs.lens` in the configuration. */
import {
  booleanType,
  field,
  globType,
  integerType,
  listType,
  type PackValues,
  packSection,
  textType,
} from '@switchboard/config'

export const config = packSection({
  title: 'The lens',
  doc: 'The index of the workspace ([lens-tools.md](lens-tools.md)); see below.',
  enabled: 'Whether agents have the lens. What was indexed stays where it is when it is switched off.',
  fields: {
    watch: field(booleanType, {
      fallback: true,
      written: true,
      doc: 'Watch the folders that are in use, so that an edit can be found within a second. Otherwise they are looked at when an agent asks for it.',
    }),
    threads: field(integerType(1, 4), {
      fallback: 2,
      written: 2,
      unit: 'threads',
      doc: 'How many threads read and parse files while an index is built.',
    }),
    maxFiles: field(integerType(100, 2_000_000), {
      fallback: 250_000,
      written: 250_000,
      unit: 'files',
      doc: 'Of one folder, so many files are indexed at most.',
    }),
    maxFileSize: field(integerType(10_000, 100_000_000), {
      fallback: 5_000_000,
      written: 5_000_000,
      unit: 'bytes',
      doc: 'Files that are larger are not indexed.',
    }),
    playsetModes: field(
      listType(textType({ expected: 'the name of a mode' }), { expected: 'a list of modes', short: 'list of modes' }),
      {
        fallback: ['ck3lens'],
        written: ['ck3lens'],
        doc: 'In these modes ([modes.md](modes.md)) a window sees the active playset and nothing else.',
      },
    ),
    exclude: field(listType(globType, { expected: 'a list of globs', short: 'list of globs' }), {
      fallback: [],
      written: [],
      doc: 'Globs of what is not indexed, besides what .gitignore, .ignore and .switchboardignore leave out.',
    }),
  },
})

export type Config = PackValues<typeof config>

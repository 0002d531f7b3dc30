import { type Pattern, step, stepBy } from '../pattern.ts'

export const NODE: readonly Pattern[] = [
  {
    id: 'node-module-not-found',
    title: 'Node does not find a package',
    signs: [
      /Cannot find module '[^./\n][^'\n]*'[\s\S]{0,40}Require stack/,
      /ERR_MODULE_NOT_FOUND[^\n]{0,20}Cannot find package/,
      // Bundlers and other runtimes: webpack, Parcel, Vite, Deno, esbuild, Bun
      /Module not found: (?:Error: )?Can't resolve '[^./'\n][^'\n]*'/,
      /Failed to resolve '[^./'\n][^'\n]*' from|Failed to load url [^./\s][^\n]{0,300}\(resolved id/,
      /Relative import path "[^"\n]*" not prefixed with/,
      /[Ff]ailed to resolve import "[^./"\n][^"\n]*" from/,
      /Could not resolve "[^./"\n][^"\n]*"$/m,
      /Cannot find package ["'][^"'\n]*["'] (?:imported )?from/,
    ],
    words: 'cannot find module package require stack imported from node_modules resolve',
    category: 'dependency',
    severity: 'medium',
    cause:
      'A package that the code imports is not installed where Node looks for it: it is missing in package.json, or node_modules is older than package.json.',
    steps: [
      step('See whether package.json names it', 'npm ls <package>'),
      step('Install what the lock file names', 'npm ci'),
      step('Add it where it is not named', 'npm install <package>'),
    ],
    verify: ['`npm ls <package>` shows a version, and `node -e "require.resolve(\'<package>\')"` prints a path'],
    tags: ['node', 'npm'],
  },
  {
    id: 'node-file-module-not-found',
    title: 'Node does not find a file that is imported',
    signs: [
      /Cannot find module ["'](?:\.{0,2}[\\/]|[A-Za-z]:\\|file:)[^"'\n]*["']/,
      /Module not found: (?:Error: )?Can't resolve '\.{0,2}\/[^'\n]*'/,
      /Failed to resolve '\.{0,2}\/[^'\n]*' from|Failed to load url \.{0,2}\//,
      /[Ff]ailed to resolve import "\.{0,2}\/[^"\n]*" from/,
      /Could not resolve ["']\.{0,2}\/[^"'\n]*["']/,
    ],
    words: 'cannot find module file path relative import extension dist built',
    category: 'dependency',
    severity: 'medium',
    cause:
      'The path of an imported file is wrong: it was not built, is written in other case, or lacks its extension, which ES modules need.',
    steps: [
      step('See whether the file is there, with exactly this name'),
      step('Build first where the path leads into the output', 'npm run build'),
      step('Write the extension in imports of ES modules: ./file.js'),
    ],
    verify: ['The path in the message exists'],
    tags: ['node', 'esm'],
  },
  {
    id: 'node-undefined-property',
    title: 'A property of undefined or null is read',
    signs: [
      /Cannot (?:read|set) propert(?:y|ies) (?:'[^'\n]*' )?of (?:undefined|null)/,
      /(?:undefined|null) is not an object \(evaluating/,
      /can't access property [^\n]{1,200} is (?:undefined|null)\b/,
    ],
    words: 'typeerror cannot read properties of undefined null reading',
    category: 'logic',
    severity: 'medium',
    cause:
      'A value is undefined or null where the code expects an object: an answer that is not there yet, an optional member, or a misspelt name.',
    steps: [
      step('Go to the first line of the stack that is your own and see which value is undefined'),
      step(
        'Find where it is set: an await that is missing, a key that is spelt otherwise, an element that is not found',
      ),
      step('Handle its absence there, or use ?. where absence is right'),
    ],
    verify: ['Stop at that line in a debugger: the value is what the code expects'],
    tags: ['node', 'javascript'],
  },
  {
    id: 'node-not-a-function',
    title: 'Something that is called is not a function',
    signs: [/TypeError: [\w$.()[\]"' ]{1,120} is not a function/],
    words: 'typeerror is not a function call default export',
    category: 'logic',
    severity: 'medium',
    cause:
      'The value that is called is no function: a wrong import (default or named), a misspelt method, or another version of a library.',
    steps: [
      step('See what it is', 'node -e "console.log(require(\'<module>\'))"'),
      step('Correct the import: a default and a named export differ'),
      step('Compare the version of the library with its documentation', 'npm ls <package>'),
    ],
    verify: ['`typeof <value>` is function at that line'],
    tags: ['node', 'javascript'],
  },
  {
    id: 'node-heap-out-of-memory',
    title: 'Node has no memory left for its heap',
    signs: [/JavaScript heap out of memory/, /Reached heap limit Allocation failed/],
    words: 'fatal error heap limit allocation failed javascript out of memory mark-compact gc',
    category: 'resource',
    severity: 'high',
    cause:
      'The heap of Node is full: more is kept than its limit allows, by a leak or by work that is too large for the default limit.',
    steps: [
      stepBy('Give it more, to see whether it is a leak', {
        linux: 'NODE_OPTIONS=--max-old-space-size=8192 <command>',
        windows: 'set NODE_OPTIONS=--max-old-space-size=8192 && <command>',
      }),
      step(
        'Where it grows without end, take a snapshot and look for what grows',
        'node --heapsnapshot-near-heap-limit=2 <script>',
      ),
    ],
    verify: ['The command ends, and its memory stays level over time'],
    tags: ['node', 'memory'],
  },
  {
    id: 'node-import-outside-module',
    title: 'import is used in a file that is CommonJS',
    signs: [/Cannot use import statement outside a module/, /SyntaxError: Unexpected token 'export'/],
    words: 'syntaxerror cannot use import statement outside module type module mjs',
    category: 'configuration',
    severity: 'medium',
    cause:
      'The file is read as CommonJS: no "type": "module" applies to it and it is not called .mjs, or a tool does not transform it.',
    steps: [
      step('Say that the package is of ES modules', 'npm pkg set type=module'),
      step('Or call this one file .mjs, or use require in it'),
      step('In a test runner, configure its transform for this file or package'),
    ],
    verify: ['`node --check <file>` says nothing'],
    tags: ['node', 'esm'],
  },
  {
    id: 'node-commonjs-in-module',
    title: 'CommonJS names are used in an ES module',
    signs: [
      /(?:__dirname|__filename|require|module|exports) is not defined in ES module scope/,
      /ERR_REQUIRE_ESM/,
      /require\(\) of ES Module/,
    ],
    words: 'require dirname filename exports is not defined es module scope esm import instead',
    category: 'configuration',
    severity: 'medium',
    cause:
      'A file is an ES module and uses what only CommonJS has (require, __dirname), or CommonJS requires a package that is an ES module.',
    steps: [
      step('Use import in place of require, and import.meta.dirname in place of __dirname'),
      step('From CommonJS, load an ES module with await import(…), or use a version of it that is CommonJS'),
    ],
    verify: ['The module loads: `node --check <file>`, then run it'],
    tags: ['node', 'esm'],
  },
  {
    id: 'node-missing-export',
    title: 'A module has no export of that name',
    signs: [/does not provide an export named/, /ERR_PACKAGE_PATH_NOT_EXPORTED/],
    words: 'requested module does not provide an export named package subpath not defined by exports',
    category: 'dependency',
    severity: 'medium',
    cause:
      'What is imported is not exported by that module: another version, a CommonJS module imported by name, or a path that its package.json does not export.',
    steps: [
      step('See what it exports', 'node -e "import(\'<module>\').then((m) => console.log(Object.keys(m)))"'),
      step('Import the default and take the member from it where the module is CommonJS'),
      step('Install the version that the code was written for', 'npm install <package>@<version>'),
    ],
    verify: ['The list of exports has the name'],
    tags: ['node', 'esm'],
  },
  {
    id: 'json-not-json',
    title: 'A text that should be JSON is something else',
    signs: [
      /is not valid JSON/,
      /Unexpected (?:token .{1,4}|end of) (?:in )?JSON/,
      /JSONDecodeError: /,
      /invalid character '.{1,4}' looking for beginning of value/,
      /JSON Parse error: |JSON\.parse: unexpected/,
      /JSON::ParserError|Json(?:Parse)?Exception: |System\.Text\.Json\.JsonException/,
      /jq: parse error|expected value(?:", line:| at line) \d{1,9},? column/,
    ],
    words: 'syntaxerror unexpected token is not valid json parse html expecting value decode',
    category: 'logic',
    severity: 'medium',
    cause: 'The text is no JSON: often a page of HTML with an error, an empty answer, or a file that was cut off.',
    steps: [
      step(
        'Look at the text itself, and at the status and content type of the answer that it came from',
        'curl -i <url>',
      ),
      step('Check the status before the body is parsed'),
    ],
    verify: ['The text parses: `curl -s <url> | python3 -m json.tool`'],
    tags: ['json', 'http'],
  },
  {
    id: 'stack-overflow',
    title: 'A function calls itself without end',
    signs: [
      /Maximum call stack size exceeded/,
      /RecursionError: maximum recursion depth/,
      /java\.lang\.StackOverflowError/,
      /has overflowed its stack/,
      /goroutine stack exceeds/,
    ],
    words: 'rangeerror maximum call stack size exceeded recursion depth stackoverflowerror',
    category: 'logic',
    severity: 'medium',
    cause:
      'A recursion does not end: its end is never reached, two functions call each other, or the data refers to itself.',
    steps: [
      step('Find the lines that repeat in the stack'),
      step('Give the recursion an end, remember what was visited, or use a loop'),
    ],
    verify: ['The input that failed goes through'],
    tags: ['recursion'],
  },
  {
    id: 'node-openssl-unsupported',
    title: 'An old bundler uses a hash that OpenSSL 3 does not have',
    signs: [/ERR_OSSL_EVP_UNSUPPORTED/, /error:0308010C:digital envelope routines/],
    words: 'openssl digital envelope routines unsupported webpack md4 hash',
    category: 'dependency',
    severity: 'medium',
    cause: 'A tool (webpack 4 and its time) hashes with MD4, which the OpenSSL of Node 17 and later no longer has.',
    steps: [
      step('Update the tool', 'npm install --save-dev webpack@5'),
      stepBy('Until then', {
        linux: 'NODE_OPTIONS=--openssl-legacy-provider <command>',
        windows: 'set NODE_OPTIONS=--openssl-legacy-provider && <command>',
      }),
    ],
    verify: ['The build ends without the option'],
    tags: ['node', 'webpack', 'openssl'],
  },
  {
    id: 'command-spawn-enoent',
    title: 'A program that should be started is not there',
    signs: [/spawn(?:Sync)? [^\n]{1,200} ENOENT/, /exec: "[^"\n]{1,200}": executable file not found in \$PATH/],
    words: 'spawn enoent child process program executable file not found path npx uvx mcp server command',
    category: 'configuration',
    severity: 'high',
    cause:
      'The program is not on the PATH of whoever starts it. Programs with windows (VS Code, Claude) have another PATH than a shell; on Windows npx is npx.cmd.',
    steps: [
      stepBy('See where it is', { linux: 'command -v <program>', windows: 'where <program>' }),
      step('Give the absolute path in the configuration, or set PATH in its env'),
      step('On Windows start it by cmd: command "cmd", args ["/c", "npx", …]'),
    ],
    verify: ['The program starts by exactly the command that is configured'],
    tags: ['node', 'mcp', 'path'],
  },
]

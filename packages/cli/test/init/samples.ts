/**
 * Files as clients and people really write them, byte for byte. What a sample says of itself is what `init` must make of it; that
 * it is the same again after `--undo` holds for all.
 */
import { join } from 'node:path'
import { CODE_USER } from '../doctor/patient.ts'

export interface Sample {
  /** What is special about it. */
  readonly name: string
  /** Below the person's home, or below the project. */
  readonly place: 'user' | 'project'
  readonly path: readonly string[]
  readonly bytes: string | Buffer
  readonly mode?: number
  /** The file is a link to this one, below the person's home. */
  readonly linkTo?: readonly string[]
  /** VS Code has our extension. */
  readonly hasExtension?: boolean
  readonly options?: readonly string[]
  /** The names of the servers that Switchboard has afterwards. */
  readonly takes: readonly string[]
  /** What stays in the file, by name. */
  readonly stays?: readonly string[]
  /** The keys down to our entry; absent: none is written. */
  readonly entry?: readonly string[]
  /** The file is not touched at all, for this reason. */
  readonly leftAlone?: RegExp
  /** A text that has to be in the file still. */
  readonly keeps?: readonly string[]
}

const crlf = (text: string): string => text.replaceAll('\n', '\r\n')

const CLAUDE_CODE = `{
  "numStartups": 214,
  "installMethod": "native",
  "autoUpdates": false,
  "tipsHistory": {
    "new-user-warmup": 3,
    "shift-enter": 190
  },
  "oauthAccount": {
    "accountUuid": "5d0c1f3e-0000-4000-8000-000000000000",
    "emailAddress": "somebody@example.com"
  },
  "projects": {
    "/home/you/src/site": {
      "allowedTools": [],
      "history": [
        {
          "display": "why does \\"npm test\\" fail? {",
          "pastedContents": {}
        }
      ],
      "mcpServers": {},
      "hasTrustDialogAccepted": true
    }
  },
  "mcpServers": {
    "everything": {
      "type": "stdio",
      "command": "npx",
      "args": [
        "-y",
        "@modelcontextprotocol/server-everything"
      ],
      "env": {}
    },
    "search": {
      "type": "http",
      "url": "https://search.example.com/mcp",
      "headers": {
        "Authorization": "Bearer \${SEARCH_TOKEN:-none}"
      }
    }
  },
  "cachedChangelog": "# Changelog\\n\\n- Fixed \\u2014 \\"quotes\\""
}`

const CLAUDE_DESKTOP = `{
  "globalShortcut": "",
  "mcpServers": {
    "filesystem": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-filesystem", "/srv/documents"]
    },
    "literal": {
      "command": "/opt/tools/server",
      "env": { "PATTERN": "\${not a variable}", "API_KEY": "sk-ant-0123456789abcdef" }
    }
  }
}
`

const CURSOR = `// Servers of mine, see the wiki
{
\t"mcpServers": {
\t\t/* needs Docker */
\t\t"postgres": {
\t\t\t"command": "docker",
\t\t\t"args": ["run", "-i", "--rm", "mcp/postgres", "postgresql://db.internal/app"], // read only
\t\t},
\t\t// "old": { "command": "nope" },
\t\t"browser": {
\t\t\t"command": "npx",
\t\t\t"args": ["@playwright/mcp@latest"],
\t\t\t"env": { "TOKEN": "\${env:BROWSER_TOKEN}" },
\t\t},
\t\t"window": { "command": "node", "args": ["\${workspaceFolder}/server.js"], },
\t},
}
`

const VSCODE_MCP = `{
\t"inputs": [
\t\t{
\t\t\t"type": "promptString",
\t\t\t"id": "key",
\t\t\t"description": "The key",
\t\t\t"password": true
\t\t}
\t],
\t"servers": {
\t\t"asking": {
\t\t\t"type": "stdio",
\t\t\t"command": "npx",
\t\t\t"args": ["-y", "server-asking"],
\t\t\t"env": { "KEY": "\${input:key}" }
\t\t},
\t\t"memory": {
\t\t\t"command": "npx",
\t\t\t"args": ["-y", "@modelcontextprotocol/server-memory"],
\t\t\t"env": { "MEMORY_FILE_PATH": "\${userHome}/memory.json" },
\t\t\t"type": "stdio"
\t\t}
\t}
}`

const VSCODE_SETTINGS = `{
    // Editor
    "editor.fontSize": 13,
    "files.exclude": { "**/.git": true, },
    "mcp": {
        "servers": {
            "fetch": { "command": "uvx", "args": ["mcp-server-fetch"] }
        }
    },
    "workbench.colorTheme": "Default Dark Modern", // nice
}
`

const WINDSURF = `{
    "mcpServers": {
        "figma": {
            "serverUrl": "http://127.0.0.1:3845/mcp",
            "disabledTools": ["get_code"]
        },
        "off": { "command": "npx", "args": ["-y", "never"], "disabled": true },
        "thinking": {
            "command": "npx",
            "args": ["-y", "@modelcontextprotocol/server-sequential-thinking"],
            "disabled": false,
            "alwaysAllow": []
        }
    }
}
`

const CODEX = `model = "gpt-5-codex"
approval_policy = "on-request" # ask me

# --- servers ---------------------------------------------------------
[mcp_servers.context]
command = "npx"
args = ["-y", "context-server"]
startup_timeout_sec = 20
# the key is on paper
env = { CONTEXT_KEY = "c7x-000000000000" }

[mcp_servers."with space"]
command = 'C:\\tools\\server.exe'
args = [
  "--root", # where
  '''/srv/it's here''',
]
[mcp_servers."with space".env]
A = "1"

[mcp_servers.remote]
url = "https://mcp.example.com"
bearer_token_env_var = "REMOTE_TOKEN"

[profiles.fast]
model = "gpt-5-mini"

[projects."/home/you/src/site"]
trust_level = "trusted"
`

const CODEX_DOTTED = `notice = """
[mcp_servers.fake]
command = "not me"
"""

[[history]]
name = "one"

[mcp_servers]
dotted.command = "node"
dotted.args = ["/opt/dotted.js"]
inline = { command = "node", args = ["/opt/inline.js"] }

[tui]
theme = "dark"`

const GEMINI = `{
  "theme": "GitHub",
  "selectedAuthType": "oauth-personal",
  "mcpServers": {
    "pythonTools": {
      "command": "python",
      "args": ["-m", "my_mcp_server", "--port", "8080"],
      "env": {
        "DATABASE_URL": "$DB_CONNECTION_STRING",
        "API_KEY": "\${EXTERNAL_API_KEY}"
      },
      "timeout": 15000,
      "trust": true,
      "includeTools": ["safe_tool"]
    }
  },
  "telemetry": { "enabled": false }
}
`

const ZED = `// Zed settings
//
// For information on how to configure Zed, see the Zed
// documentation: https://zed.dev/docs/configuring-zed
{
  "ui_font_size": 16,
  "context_servers": {
    "mcp-server-context7": {
      "source": "extension",
      "settings": {},
    },
    "sqlite": {
      "source": "custom",
      "command": "uvx",
      "args": ["mcp-server-sqlite", "--db-path", "/srv/test.db"],
      "env": {},
    },
    "older": {
      "command": { "path": "/opt/older", "args": ["--stdio"], "env": { "MODE": "x" } },
      "settings": {},
    },
  },
  "theme": {
    "mode": "system",
  },
}
`

export const SAMPLES: readonly Sample[] = [
  {
    name: 'the state of Claude Code, without a line break at its end',
    place: 'user',
    path: ['.claude.json'],
    bytes: CLAUDE_CODE,
    takes: ['everything', 'search'],
    entry: ['mcpServers', 'switchboard'],
    keeps: ['"display": "why does \\"npm test\\" fail? {"', '\\u2014'],
  },
  {
    name: 'Claude Desktop',
    place: 'user',
    path: ['.config', 'Claude', 'claude_desktop_config.json'],
    bytes: CLAUDE_DESKTOP,
    takes: ['filesystem', 'literal'],
    entry: ['mcpServers', 'switchboard'],
  },
  {
    name: 'a byte order mark and CRLF, as Notepad writes them',
    place: 'user',
    path: ['.config', 'Claude', 'claude_desktop_config.json'],
    bytes: `\uFEFF${crlf(CLAUDE_DESKTOP)}`,
    takes: ['filesystem', 'literal'],
    entry: ['mcpServers', 'switchboard'],
    keeps: ['\uFEFF{\r\n  "globalShortcut": "",\r\n'],
  },
  {
    name: 'read-only',
    place: 'user',
    path: ['.config', 'Claude', 'claude_desktop_config.json'],
    bytes: CLAUDE_DESKTOP,
    mode: 0o444,
    takes: ['filesystem', 'literal'],
    leftAlone: /it is read-only/,
  },
  {
    name: 'comments, tabs and trailing commas in Cursor',
    place: 'user',
    path: ['.cursor', 'mcp.json'],
    bytes: CURSOR,
    takes: ['browser', 'postgres'],
    stays: ['window'],
    entry: ['mcpServers', 'switchboard'],
    keeps: ['/* needs Docker */', '// "old": { "command": "nope" },', '// Servers of mine'],
  },
  {
    name: 'all on one line',
    place: 'user',
    path: ['.cursor', 'mcp.json'],
    bytes: '{"mcpServers":{"a":{"command":"node","args":["/opt/a.js"]},"b":{"url":"https://example.com/mcp?key=1"}}}',
    takes: ['a', 'b'],
    entry: ['mcpServers', 'switchboard'],
  },
  {
    name: 'three blanks, braces on lines of their own, and nothing else',
    place: 'user',
    path: ['.cursor', 'mcp.json'],
    bytes:
      '\n\n{\n   "mcpServers" :\n   {\n      "a" :\n      {\n         "command" : "node" , "args" : [ "/opt/a.js" ]\n      }\n   }\n}\n\n\n',
    takes: ['a'],
    entry: ['mcpServers', 'switchboard'],
  },
  {
    name: 'a link into a folder of dotfiles',
    place: 'user',
    path: ['.cursor', 'mcp.json'],
    linkTo: ['dotfiles', 'cursor-mcp.json'],
    bytes: CURSOR,
    takes: ['browser', 'postgres'],
    stays: ['window'],
    entry: ['mcpServers', 'switchboard'],
  },
  {
    name: 'a merge conflict',
    place: 'user',
    path: ['.cursor', 'mcp.json'],
    bytes:
      '{\n<<<<<<< HEAD\n  "mcpServers": {}\n=======\n  "mcpServers": { "a": { "command": "a" } }\n>>>>>>> other\n}\n',
    takes: [],
    leftAlone: /its file is not understood/,
  },
  {
    name: 'UTF-16',
    place: 'user',
    path: ['.cursor', 'mcp.json'],
    bytes: Buffer.from(`\uFEFF${'{"mcpServers":{}}'}`, 'utf16le'),
    takes: [],
    leftAlone: /its file is not understood/,
  },
  {
    name: 'one name twice',
    place: 'user',
    path: ['.cursor', 'mcp.json'],
    bytes: '{ "mcpServers": { "a": { "command": "one" }, "a": { "command": "two" } } }\n',
    takes: ['a'],
    leftAlone: /cannot be edited safely/,
  },
  {
    name: 'VS Code with the extension, and a server that asks a person',
    place: 'user',
    path: [CODE_USER, 'mcp.json'],
    bytes: VSCODE_MCP,
    hasExtension: true,
    takes: ['memory'],
    stays: ['asking'],
    keeps: ['"inputs": ['],
  },
  {
    name: 'the settings of VS Code with the extension',
    place: 'user',
    path: [CODE_USER, 'settings.json'],
    bytes: VSCODE_SETTINGS,
    hasExtension: true,
    takes: ['fetch'],
    keeps: ['// Editor', '"Default Dark Modern", // nice'],
  },
  {
    name: 'VS Code without the extension keeps what it has',
    place: 'user',
    path: [CODE_USER, 'mcp.json'],
    bytes: VSCODE_MCP,
    takes: ['memory'],
    leftAlone: /connected by the extension, never by a file/,
  },
  {
    name: 'Windsurf',
    place: 'user',
    path: ['.codeium', 'windsurf', 'mcp_config.json'],
    bytes: WINDSURF,
    takes: ['figma', 'thinking'],
    stays: ['off'],
    entry: ['mcpServers', 'switchboard'],
  },
  {
    name: 'an empty file, as Windsurf makes it',
    place: 'user',
    path: ['.codeium', 'windsurf', 'mcp_config.json'],
    bytes: '',
    takes: [],
    entry: ['mcpServers', 'switchboard'],
  },
  {
    name: 'Codex',
    place: 'user',
    path: ['.codex', 'config.toml'],
    bytes: CODEX,
    takes: ['context', 'remote', 'with-space'],
    entry: ['mcp_servers', 'switchboard'],
    keeps: ['approval_policy = "on-request" # ask me', '# --- servers ---', '[profiles.fast]'],
  },
  {
    name: 'TOML with CRLF, dotted keys, and a text that looks like a table',
    place: 'user',
    path: ['.codex', 'config.toml'],
    bytes: crlf(CODEX_DOTTED),
    takes: ['dotted', 'inline'],
    entry: ['mcp_servers', 'switchboard'],
    keeps: ['[mcp_servers.fake]\r\n', '[[history]]'],
  },
  {
    name: 'Gemini CLI',
    place: 'user',
    path: ['.gemini', 'settings.json'],
    bytes: GEMINI,
    takes: ['pythonTools'],
    entry: ['mcpServers', 'switchboard'],
    keeps: ['"selectedAuthType": "oauth-personal"'],
  },
  {
    name: 'Zed, with an extension of its own',
    place: 'user',
    path: ['.config', 'zed', 'settings.json'],
    bytes: ZED,
    takes: ['older', 'sqlite'],
    stays: ['mcp-server-context7'],
    entry: ['context_servers', 'switchboard'],
    keeps: ['// Zed settings\n//\n'],
  },
  {
    name: 'the file of a project',
    place: 'project',
    path: ['.mcp.json'],
    bytes: '{\n  "mcpServers": {\n    "here": { "command": "./server.sh", "args": [] }\n  }\n}\n',
    options: ['--projects'],
    takes: ['here'],
  },
  {
    name: 'the file of a project, without consent',
    place: 'project',
    path: [join('.cursor', 'mcp.json')],
    bytes: '{ "mcpServers": { "here": { "command": "node" } } }',
    takes: [],
    leftAlone: /1 server of this project/,
  },
]

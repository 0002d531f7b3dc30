// Generated from the *.meta.yaml files and guides of this pack. Do not edit: npm run generate.
import type { ToolHelp } from '@switchboard/toolkit'

/** What `switchboard help <tool>` shows, by the name of the tool. */
export const help: Readonly<Record<string, ToolHelp>> = {
  "breakpoint_add": {
    "name": "breakpoint_add",
    "summary": "Set a breakpoint, also one with a condition or a hit count, or a logpoint",
    "more": [
      "A second one on the same line replaces the first. Without a session it is kept for the next one. The answer says whether it is bound, and where it moved to.",
      "debug_start takes breakpoints along as well, which saves a call."
    ],
    "parameters": [
      {
        "name": "path",
        "required": true,
        "text": "a string, not empty; relative to the workspace"
      },
      {
        "name": "line",
        "required": true,
        "text": "an integer, at least 1"
      },
      {
        "name": "condition",
        "required": false,
        "text": "a string, not empty; stop only when it holds, in the program's language"
      },
      {
        "name": "hitCondition",
        "required": false,
        "text": "a string, not empty; 5, >= 3, % 10"
      },
      {
        "name": "logMessage",
        "required": false,
        "text": "a string, not empty; print it and go on; {expression} inside is evaluated"
      }
    ],
    "needs": [
      {
        "what": "a workspace",
        "code": "E_NO_WORKSPACE",
        "hint": "Start the front in the folder of the project, or with --workspace <folder>."
      }
    ],
    "errors": [
      {
        "code": "E_FILE_NOT_FOUND",
        "retryable": false,
        "hint": "Give a path relative to the workspace."
      },
      {
        "code": "E_INVALID_LINE",
        "retryable": false,
        "hint": "Give a line that the file has."
      }
    ],
    "examples": [
      {
        "what": "only when the list is long",
        "params": {
          "path": "src/app.ts",
          "line": 12,
          "condition": "items.length > 10"
        }
      }
    ],
    "next": [
      "debug_start",
      "debug_continue"
    ],
    "aliases": [
      "breakpoint_set"
    ],
    "safety": "changes, idempotent",
    "timeoutMs": 10000
  },
  "breakpoint_clear_file": {
    "name": "breakpoint_clear_file",
    "summary": "Remove every breakpoint of a file",
    "more": [],
    "parameters": [
      {
        "name": "path",
        "required": true,
        "text": "a string, not empty"
      }
    ],
    "needs": [
      {
        "what": "a workspace",
        "code": "E_NO_WORKSPACE",
        "hint": "Start the front in the folder of the project, or with --workspace <folder>."
      }
    ],
    "errors": [],
    "examples": [
      {
        "what": "those of one file",
        "params": {
          "path": "src/app.ts"
        }
      }
    ],
    "next": [],
    "aliases": [],
    "safety": "changes, idempotent",
    "timeoutMs": 10000
  },
  "breakpoint_clear_project": {
    "name": "breakpoint_clear_project",
    "summary": "Remove every breakpoint",
    "more": [],
    "parameters": [],
    "needs": [],
    "errors": [],
    "examples": [],
    "next": [],
    "aliases": [],
    "safety": "changes, idempotent",
    "timeoutMs": 10000
  },
  "breakpoint_list": {
    "name": "breakpoint_list",
    "summary": "List all breakpoints, and whether each is bound",
    "more": [],
    "parameters": [],
    "needs": [
      {
        "what": "a workspace",
        "code": "E_NO_WORKSPACE",
        "hint": "Start the front in the folder of the project, or with --workspace <folder>."
      }
    ],
    "errors": [],
    "examples": [],
    "next": [],
    "aliases": [],
    "safety": "reads only, idempotent",
    "timeoutMs": 5000
  },
  "breakpoint_remove": {
    "name": "breakpoint_remove",
    "summary": "Remove the breakpoint on a line",
    "more": [],
    "parameters": [
      {
        "name": "path",
        "required": true,
        "text": "a string, not empty"
      },
      {
        "name": "line",
        "required": true,
        "text": "an integer, at least 1"
      }
    ],
    "needs": [
      {
        "what": "a workspace",
        "code": "E_NO_WORKSPACE",
        "hint": "Start the front in the folder of the project, or with --workspace <folder>."
      }
    ],
    "errors": [
      {
        "code": "E_NOT_FOUND",
        "retryable": false,
        "hint": "breakpoint_list shows where there are some."
      }
    ],
    "examples": [
      {
        "what": "the one on line 12",
        "params": {
          "path": "src/app.ts",
          "line": 12
        }
      }
    ],
    "next": [],
    "aliases": [],
    "safety": "changes, idempotent",
    "timeoutMs": 10000
  },
  "bridge_status": {
    "name": "bridge_status",
    "summary": "Whether a VS Code window belongs to this caller, and what runs the debugger",
    "more": [],
    "parameters": [],
    "needs": [],
    "errors": [],
    "examples": [],
    "next": [],
    "aliases": [],
    "safety": "reads only, idempotent",
    "timeoutMs": 5000
  },
  "code_replace_method": {
    "name": "code_replace_method",
    "summary": "Replace the whole text of a function or class; an empty text deletes it",
    "more": [],
    "parameters": [
      {
        "name": "nodeId",
        "required": false,
        "text": "a string, not empty; type:path:qualified.name, in place of path and symbol"
      },
      {
        "name": "path",
        "required": false,
        "text": "a string, not empty"
      },
      {
        "name": "symbol",
        "required": false,
        "text": "a string, not empty"
      },
      {
        "name": "replacement",
        "required": true,
        "text": "a string"
      }
    ],
    "needs": [
      {
        "what": "a language server",
        "code": "E_NO_LANGUAGE_SERVER",
        "hint": "Open the workspace in VS Code with the extension for the language."
      }
    ],
    "errors": [],
    "examples": [],
    "next": [],
    "aliases": [],
    "safety": "changes, destructive",
    "timeoutMs": 15000
  },
  "dap_compare": {
    "name": "dap_compare",
    "summary": "Compare two captured sessions, such as a run that failed and one that did not",
    "more": [],
    "parameters": [
      {
        "name": "sessionA",
        "required": true,
        "text": "a string"
      },
      {
        "name": "sessionB",
        "required": true,
        "text": "a string"
      },
      {
        "name": "compareBy",
        "required": false,
        "text": "one of \"counts\", \"exceptions\", \"timeline\", \"outputs\", default \"counts\""
      }
    ],
    "needs": [],
    "errors": [
      {
        "code": "E_NO_SESSION",
        "retryable": false,
        "hint": "Start one with debug_start; what it prints is captured."
      },
      {
        "code": "E_SESSION_NOT_FOUND",
        "retryable": false,
        "hint": "dap_stats with groupBy session lists the captured ones."
      },
      {
        "code": "E_INSUFFICIENT_DATA",
        "retryable": true,
        "hint": "Let both programs run; then compare again."
      }
    ],
    "examples": [
      {
        "what": "where the output begins to differ",
        "params": {
          "sessionA": "node-1",
          "sessionB": "node-2",
          "compareBy": "outputs"
        }
      }
    ],
    "next": [],
    "aliases": [],
    "safety": "reads only, idempotent",
    "timeoutMs": 30000
  },
  "dap_exceptions": {
    "name": "dap_exceptions",
    "summary": "List the exceptions of a debugged program, with stack and the output before each",
    "more": [],
    "parameters": [
      {
        "name": "sessionId",
        "required": false,
        "text": "a string; a captured session; default is the newest"
      },
      {
        "name": "count",
        "required": false,
        "text": "an integer, at least 1, at most 100, default 10"
      },
      {
        "name": "withContext",
        "required": false,
        "text": "true or false, default true"
      },
      {
        "name": "contextLines",
        "required": false,
        "text": "an integer, at least 0, at most 50, default 5"
      }
    ],
    "needs": [],
    "errors": [
      {
        "code": "E_NO_SESSION",
        "retryable": false,
        "hint": "Start one with debug_start; what it prints is captured."
      },
      {
        "code": "E_NO_EXCEPTIONS",
        "retryable": true,
        "hint": "Start with exceptions: all to stop at caught ones too."
      }
    ],
    "examples": [
      {
        "what": "the last one only",
        "params": {
          "count": 1
        }
      }
    ],
    "next": [],
    "aliases": [],
    "safety": "reads only, idempotent",
    "timeoutMs": 30000
  },
  "dap_filter": {
    "name": "dap_filter",
    "summary": "Filter the lines of a captured session by several criteria at once",
    "more": [],
    "parameters": [
      {
        "name": "sessionId",
        "required": false,
        "text": "a string; a captured session; default is the newest"
      },
      {
        "name": "filters",
        "required": true,
        "text": "an object; at least one of its members"
      },
      {
        "name": "filters.categories",
        "required": false,
        "text": "an array, each one of \"stdout\", \"stderr\", \"console\", \"telemetry\""
      },
      {
        "name": "filters.timeRange",
        "required": false,
        "text": "an object"
      },
      {
        "name": "filters.timeRange.from",
        "required": false,
        "text": "a number; milliseconds after the start; negative: before the end"
      },
      {
        "name": "filters.timeRange.to",
        "required": false,
        "text": "a number"
      },
      {
        "name": "filters.include",
        "required": false,
        "text": "an array, each a string; texts, any of them"
      },
      {
        "name": "filters.exclude",
        "required": false,
        "text": "an array, each a string; texts, none of them"
      },
      {
        "name": "filters.sources",
        "required": false,
        "text": "an array, each a string; parts of paths"
      },
      {
        "name": "filters.minLength",
        "required": false,
        "text": "an integer, at least 0"
      },
      {
        "name": "filters.maxLength",
        "required": false,
        "text": "an integer, at least 0"
      }
    ],
    "needs": [],
    "errors": [
      {
        "code": "E_NO_SESSION",
        "retryable": false,
        "hint": "Start one with debug_start; what it prints is captured."
      },
      {
        "code": "E_INVALID_FILTERS",
        "retryable": false,
        "hint": "Give at least one of categories, timeRange, include, exclude, sources, minLength, maxLength."
      },
      {
        "code": "E_NO_RESULTS",
        "retryable": true,
        "hint": "Leave out one of the filters."
      }
    ],
    "examples": [
      {
        "what": "errors without the noise",
        "params": {
          "filters": {
            "include": [
              "error"
            ],
            "exclude": [
              "retry"
            ]
          }
        }
      }
    ],
    "next": [],
    "aliases": [],
    "safety": "reads only, idempotent",
    "timeoutMs": 30000
  },
  "dap_logs": {
    "name": "dap_logs",
    "summary": "Show the last lines that the debugged program printed",
    "more": [
      "Use it to read output again; every stop shows its new output already."
    ],
    "parameters": [
      {
        "name": "sessionId",
        "required": false,
        "text": "a string; a captured session; default is the newest"
      },
      {
        "name": "count",
        "required": false,
        "text": "an integer, at least 1, at most 10000, default 20"
      },
      {
        "name": "category",
        "required": false,
        "text": "one of \"all\", \"stdout\", \"stderr\", \"console\", \"telemetry\", default \"all\""
      },
      {
        "name": "search",
        "required": false,
        "text": "a string, not empty; regular expression, any case"
      },
      {
        "name": "since",
        "required": false,
        "text": "a number; milliseconds since 1970; negative: before now"
      },
      {
        "name": "reverse",
        "required": false,
        "text": "true or false, default false; newest first"
      },
      {
        "name": "showSource",
        "required": false,
        "text": "true or false, default true"
      }
    ],
    "needs": [],
    "errors": [
      {
        "code": "E_NO_SESSION",
        "retryable": false,
        "hint": "Start one with debug_start; what it prints is captured."
      },
      {
        "code": "E_NO_LOGS",
        "retryable": true,
        "hint": "The program has printed nothing yet; go on with debug_continue."
      },
      {
        "code": "E_INVALID_REGEX",
        "retryable": false,
        "hint": "Correct the regular expression, or escape special characters."
      }
    ],
    "examples": [
      {
        "what": "what went to stderr",
        "params": {
          "category": "stderr",
          "count": 50
        }
      }
    ],
    "next": [
      "dap_search"
    ],
    "aliases": [],
    "safety": "reads only, idempotent",
    "timeoutMs": 30000
  },
  "dap_search": {
    "name": "dap_search",
    "summary": "Search what debugged programs printed, in one or all captured sessions",
    "more": [],
    "parameters": [
      {
        "name": "sessionId",
        "required": false,
        "text": "a string; default is all captured sessions"
      },
      {
        "name": "pattern",
        "required": true,
        "text": "a string, not empty, at most 1000 characters; regular expression"
      },
      {
        "name": "category",
        "required": false,
        "text": "one of \"all\", \"stdout\", \"stderr\", \"console\", \"telemetry\", default \"all\""
      },
      {
        "name": "contextLines",
        "required": false,
        "text": "an integer, at least 0, at most 20, default 2"
      },
      {
        "name": "limit",
        "required": false,
        "text": "an integer, at least 1, at most 1000, default 50"
      },
      {
        "name": "caseSensitive",
        "required": false,
        "text": "true or false, default false"
      }
    ],
    "needs": [],
    "errors": [
      {
        "code": "E_NO_SESSION",
        "retryable": false,
        "hint": "Start one with debug_start; what it prints is captured."
      },
      {
        "code": "E_NO_RESULTS",
        "retryable": true,
        "hint": "Try a shorter pattern, or read the output with dap_logs."
      },
      {
        "code": "E_INVALID_REGEX",
        "retryable": false,
        "hint": "Correct the regular expression, or escape special characters."
      }
    ],
    "examples": [
      {
        "what": "every warning with a line around it",
        "params": {
          "pattern": "warn(ing)?:",
          "contextLines": 1
        }
      }
    ],
    "next": [],
    "aliases": [],
    "safety": "reads only, idempotent",
    "timeoutMs": 30000
  },
  "dap_stats": {
    "name": "dap_stats",
    "summary": "Count what a program printed by category, source, hour or session, and point out what is unusual",
    "more": [],
    "parameters": [
      {
        "name": "sessionId",
        "required": false,
        "text": "a string; default is the newest; with groupBy session, all"
      },
      {
        "name": "groupBy",
        "required": false,
        "text": "one of \"category\", \"source\", \"hour\", \"session\", default \"category\""
      },
      {
        "name": "includeCharts",
        "required": false,
        "text": "true or false, default true"
      }
    ],
    "needs": [],
    "errors": [
      {
        "code": "E_NO_SESSION",
        "retryable": false,
        "hint": "Start one with debug_start; what it prints is captured."
      },
      {
        "code": "E_NO_DATA",
        "retryable": true,
        "hint": "The program has printed nothing yet; go on with debug_continue."
      }
    ],
    "examples": [
      {
        "what": "sessions side by side",
        "params": {
          "groupBy": "session"
        }
      }
    ],
    "next": [],
    "aliases": [],
    "safety": "reads only, idempotent",
    "timeoutMs": 30000
  },
  "dap_summary": {
    "name": "dap_summary",
    "summary": "Report on a captured session - how it ended, what it printed, whether it is healthy",
    "more": [],
    "parameters": [
      {
        "name": "sessionId",
        "required": false,
        "text": "a string; a captured session; default is the newest"
      },
      {
        "name": "compact",
        "required": false,
        "text": "true or false, default false; without samples"
      }
    ],
    "needs": [],
    "errors": [
      {
        "code": "E_NO_SESSION",
        "retryable": false,
        "hint": "Start one with debug_start; what it prints is captured."
      },
      {
        "code": "E_INVALID_SESSION_ID",
        "retryable": false,
        "hint": "Leave out sessionId for the newest session."
      }
    ],
    "examples": [
      {
        "what": "the newest session in short",
        "params": {
          "compact": true
        }
      }
    ],
    "next": [
      "dap_exceptions",
      "dap_logs"
    ],
    "aliases": [],
    "safety": "reads only, idempotent",
    "timeoutMs": 30000
  },
  "dap_timeline": {
    "name": "dap_timeline",
    "summary": "Show what happened in a captured session, in order",
    "more": [],
    "parameters": [
      {
        "name": "sessionId",
        "required": false,
        "text": "a string; a captured session; default is the newest"
      },
      {
        "name": "eventTypes",
        "required": false,
        "text": "an array, each one of \"started\", \"stopped\", \"continued\", \"exception\", \"thread\", \"breakpoint\", \"child\", \"exited\", \"terminated\", \"output\"; default is all"
      },
      {
        "name": "window",
        "required": false,
        "text": "a number, at least 1; milliseconds from the start, or before the end"
      },
      {
        "name": "granularity",
        "required": false,
        "text": "one of \"all\", \"summary\", \"milestones\", default \"all\"; summary: runs of output are one line; milestones: no output"
      },
      {
        "name": "fromEnd",
        "required": false,
        "text": "true or false, default false"
      }
    ],
    "needs": [],
    "errors": [
      {
        "code": "E_NO_SESSION",
        "retryable": false,
        "hint": "Start one with debug_start; what it prints is captured."
      },
      {
        "code": "E_NO_EVENTS",
        "retryable": true,
        "hint": "Leave out eventTypes and window to see everything."
      }
    ],
    "examples": [
      {
        "what": "stops and the end",
        "params": {
          "granularity": "milestones"
        }
      }
    ],
    "next": [],
    "aliases": [
      "debug_tracker"
    ],
    "safety": "reads only, idempotent",
    "timeoutMs": 30000
  },
  "debug_continue": {
    "name": "debug_continue",
    "summary": "Go on to the next stop or the end; answers with a snapshot of it",
    "more": [],
    "parameters": [
      {
        "name": "sessionId",
        "required": false,
        "text": "a string; default: the current session"
      },
      {
        "name": "threadId",
        "required": false,
        "text": "an integer; default: the thread that stopped last"
      },
      {
        "name": "timeoutMs",
        "required": false,
        "text": "an integer, at least 100, at most 300000, default 30000; then it answers that the program still runs"
      },
      {
        "name": "until",
        "required": false,
        "text": "an object; run to this line; with only a condition: step until it holds"
      },
      {
        "name": "until.path",
        "required": false,
        "text": "a string, not empty; default: the current file"
      },
      {
        "name": "until.line",
        "required": false,
        "text": "an integer, at least 1"
      },
      {
        "name": "until.condition",
        "required": false,
        "text": "a string, not empty"
      }
    ],
    "needs": [
      {
        "what": "a debug session",
        "code": "E_NO_SESSION",
        "hint": "Start one with debug_start."
      },
      {
        "what": "a paused debug session",
        "code": "E_NOT_PAUSED",
        "hint": "Pause it with debug_pause, or wait for a breakpoint with debug_wait_for_hit."
      }
    ],
    "errors": [
      {
        "code": "E_FILE_NOT_FOUND",
        "retryable": false,
        "hint": "Give a path relative to the workspace."
      },
      {
        "code": "E_INVALID_LINE",
        "retryable": false,
        "hint": "Give a line that the file has."
      }
    ],
    "examples": [],
    "next": [
      "debug_step_over",
      "debug_evaluate",
      "debug_wait_for_hit"
    ],
    "aliases": [],
    "safety": "changes",
    "timeoutMs": 45000
  },
  "debug_evaluate": {
    "name": "debug_evaluate",
    "summary": "Evaluate an expression where the program stands",
    "more": [
      "It can change the program, for an experiment."
    ],
    "parameters": [
      {
        "name": "expression",
        "required": true,
        "text": "a string, not empty"
      },
      {
        "name": "frameId",
        "required": false,
        "text": "an integer; of debug_stack; default: the frame shown last"
      },
      {
        "name": "context",
        "required": false,
        "text": "one of \"watch\", \"repl\", \"hover\", default \"watch\"; repl: statements; hover: without side effects"
      },
      {
        "name": "sessionId",
        "required": false,
        "text": "a string; default: the current session"
      },
      {
        "name": "timeoutMs",
        "required": false,
        "text": "an integer, at least 100, at most 60000, default 5000"
      }
    ],
    "needs": [
      {
        "what": "a debug session",
        "code": "E_NO_SESSION",
        "hint": "Start one with debug_start."
      },
      {
        "what": "a paused debug session",
        "code": "E_NOT_PAUSED",
        "hint": "Pause it with debug_pause, or wait for a breakpoint with debug_wait_for_hit."
      }
    ],
    "errors": [
      {
        "code": "E_TIMEOUT",
        "retryable": true,
        "hint": "Give a larger timeoutMs; where it never ends, debug_restart or debug_stop."
      },
      {
        "code": "E_EVALUATE_FAILED",
        "retryable": false,
        "hint": "Correct the expression; variable_list shows what is there."
      }
    ],
    "examples": [
      {
        "what": "what a name holds",
        "params": {
          "expression": "order.items.length"
        }
      },
      {
        "what": "a statement, to try a fix",
        "params": {
          "expression": "total = 0",
          "context": "repl"
        }
      }
    ],
    "next": [],
    "aliases": [],
    "safety": "changes",
    "timeoutMs": 15000
  },
  "debug_pause": {
    "name": "debug_pause",
    "summary": "Stop a running program where it is; answers with a snapshot",
    "more": [],
    "parameters": [
      {
        "name": "sessionId",
        "required": false,
        "text": "a string; default: the current session"
      },
      {
        "name": "threadId",
        "required": false,
        "text": "an integer; default: the thread that stopped last"
      },
      {
        "name": "timeoutMs",
        "required": false,
        "text": "an integer, at least 100, at most 60000, default 5000"
      }
    ],
    "needs": [
      {
        "what": "a debug session",
        "code": "E_NO_SESSION",
        "hint": "Start one with debug_start."
      }
    ],
    "errors": [],
    "examples": [],
    "next": [],
    "aliases": [],
    "safety": "changes, idempotent",
    "timeoutMs": 15000
  },
  "debug_probe": {
    "name": "debug_probe",
    "summary": "Run a program once and tell the values of expressions at several lines, in one answer",
    "more": [
      "Use it to see how values develop, or who changes one. The program runs to its end."
    ],
    "parameters": [
      {
        "name": "points",
        "required": true,
        "text": "an array, each an object, at least 1 of them, at most 20 of them"
      },
      {
        "name": "points[].path",
        "required": true,
        "text": "a string, not empty"
      },
      {
        "name": "points[].line",
        "required": true,
        "text": "an integer, at least 1; values are those before the line runs"
      },
      {
        "name": "points[].expressions",
        "required": true,
        "text": "an array, each a string, not empty, at least 1 of them, at most 10 of them"
      },
      {
        "name": "points[].condition",
        "required": false,
        "text": "a string, not empty"
      },
      {
        "name": "program",
        "required": false,
        "text": "a string, not empty; as debug_start takes it"
      },
      {
        "name": "test",
        "required": false,
        "text": "an object; in place of program"
      },
      {
        "name": "test.path",
        "required": true,
        "text": "a string, not empty"
      },
      {
        "name": "test.line",
        "required": true,
        "text": "an integer, at least 1"
      },
      {
        "name": "test.case",
        "required": false,
        "text": "a string"
      },
      {
        "name": "args",
        "required": false,
        "text": "an array, each a string"
      },
      {
        "name": "env",
        "required": false,
        "text": "an object, each value a string"
      },
      {
        "name": "language",
        "required": false,
        "text": "a string"
      },
      {
        "name": "maxHits",
        "required": false,
        "text": "an integer, at least 1, at most 10000, default 50; shown of each point; all are counted"
      },
      {
        "name": "maxBytes",
        "required": false,
        "text": "an integer, at least 200, at most 16000, default 4000"
      },
      {
        "name": "timeoutMs",
        "required": false,
        "text": "an integer, at least 100, at most 300000, default 30000"
      }
    ],
    "needs": [
      {
        "what": "a workspace",
        "code": "E_NO_WORKSPACE",
        "hint": "Start the front in the folder of the project, or with --workspace <folder>."
      }
    ],
    "errors": [
      {
        "code": "E_FILE_NOT_FOUND",
        "retryable": false,
        "hint": "Paths are relative to the workspace."
      },
      {
        "code": "E_INVALID_LINE",
        "retryable": false,
        "hint": "Give a line that the file has."
      },
      {
        "code": "E_LAUNCH_FAILED",
        "retryable": false,
        "hint": "The message says why."
      },
      {
        "code": "E_UNSUPPORTED_LANGUAGE",
        "retryable": false,
        "hint": "Name it in language."
      },
      {
        "code": "E_NO_TEST_AT_CURSOR",
        "retryable": false,
        "hint": "test_list has the lines."
      },
      {
        "code": "E_DISCOVERY_FAILED",
        "retryable": false,
        "hint": "Known are pytest, node:test, vitest, go test."
      },
      {
        "code": "E_NO_SESSION",
        "retryable": false,
        "hint": "Give program or test."
      }
    ],
    "examples": [
      {
        "what": "a total at two lines",
        "params": {
          "program": "app.py",
          "points": [
            {
              "path": "shop.py",
              "line": 8,
              "expressions": [
                "q",
                "total"
              ]
            },
            {
              "path": "shop.py",
              "line": 12,
              "expressions": [
                "total"
              ]
            }
          ]
        }
      }
    ],
    "next": [
      "debug_trace_function"
    ],
    "aliases": [],
    "safety": "changes",
    "timeoutMs": 60000
  },
  "debug_restart": {
    "name": "debug_restart",
    "summary": "Start the program of a session anew, with the same breakpoints; answers with a snapshot",
    "more": [],
    "parameters": [
      {
        "name": "sessionId",
        "required": false,
        "text": "a string; default: the current session"
      },
      {
        "name": "timeoutMs",
        "required": false,
        "text": "an integer, at least 100, at most 300000, default 30000"
      }
    ],
    "needs": [],
    "errors": [
      {
        "code": "E_NO_SESSION",
        "retryable": false,
        "hint": "Start one with debug_start."
      },
      {
        "code": "E_FILE_NOT_FOUND",
        "retryable": false,
        "hint": "Give a path relative to the workspace."
      },
      {
        "code": "E_LAUNCH_FAILED",
        "retryable": false,
        "hint": "The message has what the program or its debugger said."
      }
    ],
    "examples": [],
    "next": [],
    "aliases": [],
    "safety": "changes",
    "timeoutMs": 90000
  },
  "debug_run_to": {
    "name": "debug_run_to",
    "summary": "Run to a line and show what is there, without leaving a breakpoint behind",
    "more": [],
    "parameters": [
      {
        "name": "path",
        "required": false,
        "text": "a string, not empty; default: the current file"
      },
      {
        "name": "line",
        "required": true,
        "text": "an integer, at least 1"
      },
      {
        "name": "condition",
        "required": false,
        "text": "a string, not empty; stop there only when it holds"
      },
      {
        "name": "sessionId",
        "required": false,
        "text": "a string; default: the current session"
      },
      {
        "name": "threadId",
        "required": false,
        "text": "an integer; default: the thread that stopped last"
      },
      {
        "name": "timeoutMs",
        "required": false,
        "text": "an integer, at least 100, at most 300000, default 30000"
      }
    ],
    "needs": [
      {
        "what": "a debug session",
        "code": "E_NO_SESSION",
        "hint": "Start one with debug_start."
      },
      {
        "what": "a paused debug session",
        "code": "E_NOT_PAUSED",
        "hint": "Pause it with debug_pause, or wait for a breakpoint with debug_wait_for_hit."
      }
    ],
    "errors": [
      {
        "code": "E_FILE_NOT_FOUND",
        "retryable": false,
        "hint": "Give a path relative to the workspace."
      },
      {
        "code": "E_INVALID_LINE",
        "retryable": false,
        "hint": "Give a line that the file has."
      }
    ],
    "examples": [
      {
        "what": "to a line of the file it stands in",
        "params": {
          "line": 30
        }
      },
      {
        "what": "only when it matters",
        "params": {
          "path": "src/app.ts",
          "line": 30,
          "condition": "i > 10"
        }
      }
    ],
    "next": [],
    "aliases": [],
    "safety": "changes",
    "timeoutMs": 45000
  },
  "debug_scopes": {
    "name": "debug_scopes",
    "summary": "The scopes of a frame, each with a reference for variable_get",
    "more": [],
    "parameters": [
      {
        "name": "frameId",
        "required": false,
        "text": "an integer; default: the frame shown last"
      },
      {
        "name": "sessionId",
        "required": false,
        "text": "a string; default: the current session"
      }
    ],
    "needs": [
      {
        "what": "a debug session",
        "code": "E_NO_SESSION",
        "hint": "Start one with debug_start."
      },
      {
        "what": "a paused debug session",
        "code": "E_NOT_PAUSED",
        "hint": "Pause it with debug_pause, or wait for a breakpoint with debug_wait_for_hit."
      }
    ],
    "errors": [],
    "examples": [],
    "next": [],
    "aliases": [],
    "safety": "reads only, idempotent",
    "timeoutMs": 10000
  },
  "debug_stack": {
    "name": "debug_stack",
    "summary": "The whole call stack of a thread, with frame ids",
    "more": [],
    "parameters": [
      {
        "name": "sessionId",
        "required": false,
        "text": "a string; default: the current session"
      },
      {
        "name": "threadId",
        "required": false,
        "text": "an integer; default: the thread that stopped last"
      },
      {
        "name": "start",
        "required": false,
        "text": "an integer, at least 0, default 0"
      },
      {
        "name": "count",
        "required": false,
        "text": "an integer, at least 1, at most 500, default 50"
      },
      {
        "name": "onlyUser",
        "required": false,
        "text": "true or false, default false; leave out frames of libraries and of the runtime"
      }
    ],
    "needs": [
      {
        "what": "a debug session",
        "code": "E_NO_SESSION",
        "hint": "Start one with debug_start."
      },
      {
        "what": "a paused debug session",
        "code": "E_NOT_PAUSED",
        "hint": "Pause it with debug_pause, or wait for a breakpoint with debug_wait_for_hit."
      }
    ],
    "errors": [],
    "examples": [],
    "next": [],
    "aliases": [],
    "safety": "reads only, idempotent",
    "timeoutMs": 10000
  },
  "debug_start": {
    "name": "debug_start",
    "summary": "Start a program under the debugger and run to the first stop; answers with a snapshot",
    "more": [
      "Give the name of a configuration of launch.json, or a program, or what to attach to. Breakpoints set before hold as well. A compound starts all its sessions."
    ],
    "parameters": [
      {
        "name": "launch",
        "required": false,
        "text": "a string, not empty; name of a configuration or compound in .vscode/launch.json"
      },
      {
        "name": "folder",
        "required": false,
        "text": "a string, not empty; folder whose launch.json it is; default: the workspace"
      },
      {
        "name": "inputs",
        "required": false,
        "text": "an object, each value a string; values of its ${input:id}, by id"
      },
      {
        "name": "program",
        "required": false,
        "text": "a string, not empty; file to run; for Go a package folder, for C, C++ and Rust the compiled program"
      },
      {
        "name": "module",
        "required": false,
        "text": "a string, not empty; Python module in place of a program"
      },
      {
        "name": "args",
        "required": false,
        "text": "an array, each a string"
      },
      {
        "name": "cwd",
        "required": false,
        "text": "a string, not empty; default: the workspace"
      },
      {
        "name": "env",
        "required": false,
        "text": "an object, each value a string"
      },
      {
        "name": "language",
        "required": false,
        "text": "a string; node, typescript, python, c, cpp, rust, go, ruby; default: told by the program"
      },
      {
        "name": "runtime",
        "required": false,
        "text": "a string; interpreter to run it with"
      },
      {
        "name": "runtimeArgs",
        "required": false,
        "text": "an array, each a string"
      },
      {
        "name": "attach",
        "required": false,
        "text": "an object; with language"
      },
      {
        "name": "attach.port",
        "required": false,
        "text": "an integer, at least 1, at most 65535"
      },
      {
        "name": "attach.pid",
        "required": false,
        "text": "an integer, at least 1"
      },
      {
        "name": "attach.host",
        "required": false,
        "text": "a string"
      },
      {
        "name": "breakpoints",
        "required": false,
        "text": "an array, each an object, at most 100 of them"
      },
      {
        "name": "breakpoints[].path",
        "required": true,
        "text": "a string, not empty"
      },
      {
        "name": "breakpoints[].line",
        "required": true,
        "text": "an integer, at least 1"
      },
      {
        "name": "breakpoints[].condition",
        "required": false,
        "text": "a string"
      },
      {
        "name": "breakpoints[].hitCondition",
        "required": false,
        "text": "a string"
      },
      {
        "name": "breakpoints[].logMessage",
        "required": false,
        "text": "a string"
      },
      {
        "name": "until",
        "required": false,
        "text": "an object; run to this line of the program, once"
      },
      {
        "name": "until.path",
        "required": false,
        "text": "a string, not empty"
      },
      {
        "name": "until.line",
        "required": true,
        "text": "an integer, at least 1"
      },
      {
        "name": "until.condition",
        "required": false,
        "text": "a string"
      },
      {
        "name": "stopOnEntry",
        "required": false,
        "text": "true or false, default false"
      },
      {
        "name": "exceptions",
        "required": false,
        "text": "one of \"none\", \"uncaught\", \"all\"; which exceptions stop it; default: uncaught"
      },
      {
        "name": "skipTask",
        "required": false,
        "text": "true or false; do not run its preLaunchTask and postDebugTask"
      },
      {
        "name": "wait",
        "required": false,
        "text": "true or false, default true; false: answer at once, then debug_wait_for_hit"
      },
      {
        "name": "timeoutMs",
        "required": false,
        "text": "an integer, at least 100, at most 300000, default 30000"
      }
    ],
    "needs": [
      {
        "what": "a workspace",
        "code": "E_NO_WORKSPACE",
        "hint": "Start the front in the folder of the project, or with --workspace <folder>."
      }
    ],
    "errors": [
      {
        "code": "E_FILE_NOT_FOUND",
        "retryable": false,
        "hint": "Give a path relative to the workspace."
      },
      {
        "code": "E_INVALID_LINE",
        "retryable": false,
        "hint": "Give a line that the file has."
      },
      {
        "code": "E_LAUNCH_FAILED",
        "retryable": false,
        "hint": "The message has what the program or its debugger said."
      },
      {
        "code": "E_NOT_FOUND",
        "retryable": false,
        "hint": "Use one of the names that launch.json has, or give a program."
      },
      {
        "code": "E_INVALID_LAUNCH",
        "retryable": false,
        "hint": "Correct launch.json, or give program, args, cwd and env."
      },
      {
        "code": "E_PRELAUNCH_TASK",
        "retryable": false,
        "hint": "Correct it, or run the task yourself, then start with skipTask."
      },
      {
        "code": "E_UNSUPPORTED_LANGUAGE",
        "retryable": false,
        "hint": "Name one of the languages in the message."
      },
      {
        "code": "E_CAPACITY",
        "retryable": true,
        "hint": "End one with debug_stop."
      }
    ],
    "examples": [
      {
        "what": "run to a line and show what is there",
        "params": {
          "program": "src/app.py",
          "breakpoints": [
            {
              "path": "src/app.py",
              "line": 12
            }
          ]
        }
      },
      {
        "what": "a configuration of the editor",
        "params": {
          "launch": "Server"
        }
      },
      {
        "what": "a Node program that runs already",
        "params": {
          "language": "node",
          "attach": {
            "port": 9229
          }
        }
      }
    ],
    "next": [
      "debug_step_over",
      "debug_evaluate",
      "debug_continue",
      "debug_stop"
    ],
    "aliases": [],
    "safety": "changes",
    "timeoutMs": 90000
  },
  "debug_status": {
    "name": "debug_status",
    "summary": "All sessions and breakpoints, and where the current session stands",
    "more": [],
    "parameters": [],
    "needs": [],
    "errors": [],
    "examples": [],
    "next": [],
    "aliases": [],
    "safety": "reads only, idempotent",
    "timeoutMs": 10000
  },
  "debug_step_into": {
    "name": "debug_step_into",
    "summary": "Step into the call on the line; answers with the new place",
    "more": [],
    "parameters": [
      {
        "name": "sessionId",
        "required": false,
        "text": "a string; default: the current session"
      },
      {
        "name": "threadId",
        "required": false,
        "text": "an integer; default: the thread that stopped last"
      },
      {
        "name": "timeoutMs",
        "required": false,
        "text": "an integer, at least 100, at most 300000, default 5000"
      }
    ],
    "needs": [
      {
        "what": "a debug session",
        "code": "E_NO_SESSION",
        "hint": "Start one with debug_start."
      },
      {
        "what": "a paused debug session",
        "code": "E_NOT_PAUSED",
        "hint": "Pause it with debug_pause, or wait for a breakpoint with debug_wait_for_hit."
      }
    ],
    "errors": [],
    "examples": [],
    "next": [],
    "aliases": [],
    "safety": "changes",
    "timeoutMs": 15000
  },
  "debug_step_out": {
    "name": "debug_step_out",
    "summary": "Run to where this function was called from; answers with the new place",
    "more": [],
    "parameters": [
      {
        "name": "sessionId",
        "required": false,
        "text": "a string; default: the current session"
      },
      {
        "name": "threadId",
        "required": false,
        "text": "an integer; default: the thread that stopped last"
      },
      {
        "name": "timeoutMs",
        "required": false,
        "text": "an integer, at least 100, at most 300000, default 5000"
      }
    ],
    "needs": [
      {
        "what": "a debug session",
        "code": "E_NO_SESSION",
        "hint": "Start one with debug_start."
      },
      {
        "what": "a paused debug session",
        "code": "E_NOT_PAUSED",
        "hint": "Pause it with debug_pause, or wait for a breakpoint with debug_wait_for_hit."
      }
    ],
    "errors": [],
    "examples": [],
    "next": [],
    "aliases": [],
    "safety": "changes",
    "timeoutMs": 15000
  },
  "debug_step_over": {
    "name": "debug_step_over",
    "summary": "Step over the line (calls in it are run as a whole); answers with the new place",
    "more": [],
    "parameters": [
      {
        "name": "sessionId",
        "required": false,
        "text": "a string; default: the current session"
      },
      {
        "name": "threadId",
        "required": false,
        "text": "an integer; default: the thread that stopped last"
      },
      {
        "name": "timeoutMs",
        "required": false,
        "text": "an integer, at least 100, at most 300000, default 5000"
      }
    ],
    "needs": [
      {
        "what": "a debug session",
        "code": "E_NO_SESSION",
        "hint": "Start one with debug_start."
      },
      {
        "what": "a paused debug session",
        "code": "E_NOT_PAUSED",
        "hint": "Pause it with debug_pause, or wait for a breakpoint with debug_wait_for_hit."
      }
    ],
    "errors": [],
    "examples": [],
    "next": [],
    "aliases": [],
    "safety": "changes",
    "timeoutMs": 15000
  },
  "debug_stop": {
    "name": "debug_stop",
    "summary": "End a session and its program; one that was attached to goes on running",
    "more": [],
    "parameters": [
      {
        "name": "sessionId",
        "required": false,
        "text": "a string; default: the current session"
      },
      {
        "name": "all",
        "required": false,
        "text": "true or false; every session"
      },
      {
        "name": "kill",
        "required": false,
        "text": "true or false; end a program that was attached to as well"
      }
    ],
    "needs": [
      {
        "what": "a debug session",
        "code": "E_NO_SESSION",
        "hint": "Start one with debug_start."
      }
    ],
    "errors": [],
    "examples": [],
    "next": [],
    "aliases": [],
    "safety": "changes",
    "timeoutMs": 20000
  },
  "debug_threads": {
    "name": "debug_threads",
    "summary": "All threads, and which of them stand",
    "more": [],
    "parameters": [
      {
        "name": "sessionId",
        "required": false,
        "text": "a string; default: the current session"
      }
    ],
    "needs": [
      {
        "what": "a debug session",
        "code": "E_NO_SESSION",
        "hint": "Start one with debug_start."
      }
    ],
    "errors": [],
    "examples": [],
    "next": [],
    "aliases": [],
    "safety": "reads only, idempotent",
    "timeoutMs": 10000
  },
  "debug_trace_function": {
    "name": "debug_trace_function",
    "summary": "Follow one call of a function line by line - every line with what it changed, in one answer",
    "more": [
      "Use it in place of many steps, when a function gives a wrong result. Runs the program anew unless a session is meant."
    ],
    "parameters": [
      {
        "name": "path",
        "required": true,
        "text": "a string, not empty; file of the function"
      },
      {
        "name": "function",
        "required": false,
        "text": "a string, not empty; name, or Class.name"
      },
      {
        "name": "line",
        "required": false,
        "text": "an integer, at least 1; in place of the name - first line to follow"
      },
      {
        "name": "call",
        "required": false,
        "text": "an integer, at least 1, at most 1000000, default 1; which call of it"
      },
      {
        "name": "condition",
        "required": false,
        "text": "a string, not empty; only a call where this holds at its first line, such as q > 5"
      },
      {
        "name": "program",
        "required": false,
        "text": "a string, not empty; as debug_start takes it"
      },
      {
        "name": "test",
        "required": false,
        "text": "an object; in place of program"
      },
      {
        "name": "test.path",
        "required": true,
        "text": "a string, not empty"
      },
      {
        "name": "test.line",
        "required": true,
        "text": "an integer, at least 1"
      },
      {
        "name": "test.case",
        "required": false,
        "text": "a string"
      },
      {
        "name": "args",
        "required": false,
        "text": "an array, each a string"
      },
      {
        "name": "env",
        "required": false,
        "text": "an object, each value a string"
      },
      {
        "name": "language",
        "required": false,
        "text": "a string"
      },
      {
        "name": "sessionId",
        "required": false,
        "text": "a string; without program or test: goes on in this session; default is the current"
      },
      {
        "name": "maxSteps",
        "required": false,
        "text": "an integer, at least 1, at most 2000, default 200"
      },
      {
        "name": "maxBytes",
        "required": false,
        "text": "an integer, at least 200, at most 16000, default 4000"
      },
      {
        "name": "timeoutMs",
        "required": false,
        "text": "an integer, at least 100, at most 300000, default 30000"
      }
    ],
    "needs": [
      {
        "what": "a workspace",
        "code": "E_NO_WORKSPACE",
        "hint": "Start the front in the folder of the project, or with --workspace <folder>."
      }
    ],
    "errors": [
      {
        "code": "E_FILE_NOT_FOUND",
        "retryable": false,
        "hint": "Paths are relative to the workspace."
      },
      {
        "code": "E_INVALID_LINE",
        "retryable": false,
        "hint": "Give a line that the file has."
      },
      {
        "code": "E_LAUNCH_FAILED",
        "retryable": false,
        "hint": "The message says why."
      },
      {
        "code": "E_UNSUPPORTED_LANGUAGE",
        "retryable": false,
        "hint": "Name it in language."
      },
      {
        "code": "E_NO_TEST_AT_CURSOR",
        "retryable": false,
        "hint": "test_list has the lines."
      },
      {
        "code": "E_DISCOVERY_FAILED",
        "retryable": false,
        "hint": "Known are pytest, node:test, vitest, go test."
      },
      {
        "code": "E_NO_SESSION",
        "retryable": false,
        "hint": "Give program or test."
      },
      {
        "code": "E_FUNCTION_NOT_FOUND",
        "retryable": false,
        "hint": "Give line in place of function."
      },
      {
        "code": "E_NOT_CALLED",
        "retryable": false,
        "hint": "Check args and condition."
      }
    ],
    "examples": [
      {
        "what": "the third call of price",
        "params": {
          "program": "app.py",
          "path": "shop.py",
          "function": "price",
          "call": 3
        }
      },
      {
        "what": "within a test",
        "params": {
          "test": {
            "path": "test_shop.py",
            "line": 12
          },
          "path": "shop.py",
          "function": "price"
        }
      }
    ],
    "next": [],
    "aliases": [],
    "safety": "changes",
    "timeoutMs": 60000
  },
  "debug_wait_for_hit": {
    "name": "debug_wait_for_hit",
    "summary": "Wait until a breakpoint is hit or the program ends; answers with a snapshot",
    "more": [
      "Where the program stands already, that is the answer. Waiting changes nothing in the program; a wait that is cancelled or over leaves it running."
    ],
    "parameters": [
      {
        "name": "sessionId",
        "required": false,
        "text": "a string; default: all sessions"
      },
      {
        "name": "timeoutMs",
        "required": false,
        "text": "an integer, at least 100, at most 300000, default 30000"
      }
    ],
    "needs": [
      {
        "what": "a debug session",
        "code": "E_NO_SESSION",
        "hint": "Start one with debug_start."
      }
    ],
    "errors": [
      {
        "code": "E_TIMEOUT",
        "retryable": true,
        "hint": "Call again to wait longer, debug_pause to see where it is, or debug_stop."
      }
    ],
    "examples": [],
    "next": [],
    "aliases": [],
    "safety": "reads only, idempotent",
    "timeoutMs": 45000
  },
  "diagnostic_collect": {
    "name": "diagnostic_collect",
    "summary": "Problems that language servers have found",
    "more": [],
    "parameters": [
      {
        "name": "path",
        "required": false,
        "text": "a string, not empty"
      }
    ],
    "needs": [
      {
        "what": "a language server",
        "code": "E_NO_LANGUAGE_SERVER",
        "hint": "Open the workspace in VS Code with the extension for the language."
      }
    ],
    "errors": [],
    "examples": [],
    "next": [],
    "aliases": [],
    "safety": "reads only, idempotent",
    "timeoutMs": 30000
  },
  "docs_get": {
    "name": "docs_get",
    "summary": "Read a guide for debugging",
    "more": [],
    "parameters": [
      {
        "name": "id",
        "required": true,
        "text": "a string; as docs_list gives it"
      }
    ],
    "needs": [],
    "errors": [
      {
        "code": "E_INVALID_ID",
        "retryable": false,
        "hint": "An id has small letters, digits and hyphens; docs_list has them all."
      },
      {
        "code": "E_DOC_NOT_FOUND",
        "retryable": false,
        "hint": "docs_list has them all."
      }
    ],
    "examples": [
      {
        "what": "a failing test",
        "params": {
          "id": "debug-a-failing-test"
        }
      }
    ],
    "next": [],
    "aliases": [],
    "safety": "reads only, idempotent",
    "timeoutMs": 5000
  },
  "docs_list": {
    "name": "docs_list",
    "summary": "List the guides for debugging",
    "more": [],
    "parameters": [
      {
        "name": "category",
        "required": false,
        "text": "a string; one tag exactly"
      },
      {
        "name": "tags",
        "required": false,
        "text": "an array, each a string; any of them"
      }
    ],
    "needs": [],
    "errors": [],
    "examples": [
      {
        "what": "guides about tests",
        "params": {
          "tags": [
            "test"
          ]
        }
      }
    ],
    "next": [
      "docs_get"
    ],
    "aliases": [],
    "safety": "reads only, idempotent",
    "timeoutMs": 5000
  },
  "editor_get_context": {
    "name": "editor_get_context",
    "summary": "File, cursor, selection and symbols of the active editor",
    "more": [],
    "parameters": [],
    "needs": [
      {
        "what": "a VS Code window",
        "code": "E_BRIDGE_UNAVAILABLE",
        "hint": "Open the workspace in VS Code with the Switchboard extension; bridge_status tells more."
      }
    ],
    "errors": [],
    "examples": [],
    "next": [],
    "aliases": [],
    "safety": "reads only, idempotent",
    "timeoutMs": 5000
  },
  "editor_goto_line": {
    "name": "editor_goto_line",
    "summary": "Open a file in the editor and move the cursor",
    "more": [],
    "parameters": [
      {
        "name": "path",
        "required": true,
        "text": "a string, not empty"
      },
      {
        "name": "line",
        "required": true,
        "text": "an integer, at least 1"
      },
      {
        "name": "column",
        "required": false,
        "text": "an integer, at least 1, default 1"
      }
    ],
    "needs": [
      {
        "what": "a VS Code window",
        "code": "E_BRIDGE_UNAVAILABLE",
        "hint": "Open the workspace in VS Code with the Switchboard extension; bridge_status tells more."
      }
    ],
    "errors": [],
    "examples": [],
    "next": [],
    "aliases": [],
    "safety": "changes, idempotent",
    "timeoutMs": 10000
  },
  "editor_show_testing_ui": {
    "name": "editor_show_testing_ui",
    "summary": "Open the Testing view, which makes VS Code look for tests",
    "more": [],
    "parameters": [],
    "needs": [
      {
        "what": "a VS Code window",
        "code": "E_BRIDGE_UNAVAILABLE",
        "hint": "Open the workspace in VS Code with the Switchboard extension; bridge_status tells more."
      }
    ],
    "errors": [],
    "examples": [],
    "next": [],
    "aliases": [],
    "safety": "changes, idempotent",
    "timeoutMs": 60000
  },
  "search_symbol_search": {
    "name": "search_symbol_search",
    "summary": "Find symbols by name in the workspace, or list those of a file",
    "more": [],
    "parameters": [
      {
        "name": "query",
        "required": false,
        "text": "a string, default \"\""
      },
      {
        "name": "mode",
        "required": false,
        "text": "one of \"workspace\", \"document\", default \"workspace\""
      },
      {
        "name": "path",
        "required": false,
        "text": "a string, not empty"
      },
      {
        "name": "kinds",
        "required": false,
        "text": "a string; a comma list: function,class"
      },
      {
        "name": "limit",
        "required": false,
        "text": "an integer, at least 1, at most 1000, default 100"
      },
      {
        "name": "includeLocation",
        "required": false,
        "text": "true or false, default true"
      },
      {
        "name": "includeContainer",
        "required": false,
        "text": "true or false, default true"
      }
    ],
    "needs": [
      {
        "what": "a language server",
        "code": "E_NO_LANGUAGE_SERVER",
        "hint": "Open the workspace in VS Code with the extension for the language."
      }
    ],
    "errors": [],
    "examples": [],
    "next": [],
    "aliases": [],
    "safety": "reads only, idempotent",
    "timeoutMs": 10000
  },
  "symbol_calls": {
    "name": "symbol_calls",
    "summary": "Who calls a function, or whom it calls",
    "more": [],
    "parameters": [
      {
        "name": "nodeId",
        "required": false,
        "text": "a string, not empty; type:path:qualified.name, in place of path and symbol"
      },
      {
        "name": "path",
        "required": false,
        "text": "a string, not empty"
      },
      {
        "name": "symbol",
        "required": false,
        "text": "a string, not empty"
      },
      {
        "name": "direction",
        "required": false,
        "text": "one of \"incoming\", \"outgoing\", default \"incoming\""
      },
      {
        "name": "enrichWithFlowspaceIds",
        "required": false,
        "text": "true or false, default false; add a nodeId to each"
      }
    ],
    "needs": [
      {
        "what": "a language server",
        "code": "E_NO_LANGUAGE_SERVER",
        "hint": "Open the workspace in VS Code with the extension for the language."
      }
    ],
    "errors": [],
    "examples": [],
    "next": [],
    "aliases": [],
    "safety": "reads only, idempotent",
    "timeoutMs": 30000
  },
  "symbol_navigate": {
    "name": "symbol_navigate",
    "summary": "References or implementations of a symbol",
    "more": [],
    "parameters": [
      {
        "name": "nodeId",
        "required": false,
        "text": "a string, not empty; type:path:qualified.name, in place of path and symbol"
      },
      {
        "name": "path",
        "required": false,
        "text": "a string, not empty"
      },
      {
        "name": "symbol",
        "required": false,
        "text": "a string, not empty"
      },
      {
        "name": "action",
        "required": false,
        "text": "one of \"references\", \"implementations\", default \"references\""
      },
      {
        "name": "includeDeclaration",
        "required": false,
        "text": "true or false"
      },
      {
        "name": "enrichWithFlowspaceIds",
        "required": false,
        "text": "true or false, default false; add a nodeId to each"
      }
    ],
    "needs": [
      {
        "what": "a language server",
        "code": "E_NO_LANGUAGE_SERVER",
        "hint": "Open the workspace in VS Code with the extension for the language."
      }
    ],
    "errors": [],
    "examples": [],
    "next": [],
    "aliases": [],
    "safety": "reads only, idempotent",
    "timeoutMs": 15000
  },
  "symbol_rename": {
    "name": "symbol_rename",
    "summary": "Rename a symbol in the whole workspace",
    "more": [],
    "parameters": [
      {
        "name": "nodeId",
        "required": false,
        "text": "a string, not empty; type:path:qualified.name, in place of path and symbol"
      },
      {
        "name": "path",
        "required": false,
        "text": "a string, not empty"
      },
      {
        "name": "symbol",
        "required": false,
        "text": "a string, not empty"
      },
      {
        "name": "newName",
        "required": true,
        "text": "a string, not empty"
      }
    ],
    "needs": [
      {
        "what": "a language server",
        "code": "E_NO_LANGUAGE_SERVER",
        "hint": "Open the workspace in VS Code with the extension for the language."
      }
    ],
    "errors": [],
    "examples": [],
    "next": [],
    "aliases": [],
    "safety": "changes, destructive",
    "timeoutMs": 15000
  },
  "test_debug_single": {
    "name": "test_debug_single",
    "summary": "Run the test at a line under the debugger, to the failing assertion or a breakpoint",
    "more": [
      "Breakpoints that are set hold. A test that passes without a stop is told as passed. For pytest, node:test, vitest and go test.",
      "Use it first for a failing test."
    ],
    "parameters": [
      {
        "name": "path",
        "required": true,
        "text": "a string, not empty"
      },
      {
        "name": "line",
        "required": true,
        "text": "an integer, at least 1; any line of the test"
      },
      {
        "name": "column",
        "required": false,
        "text": "an integer, at least 1, default 1"
      },
      {
        "name": "case",
        "required": false,
        "text": "a string, not empty; parameters of one case of pytest, such as 10-80; default: all"
      },
      {
        "name": "breakpoints",
        "required": false,
        "text": "an array, each an object, at most 100 of them"
      },
      {
        "name": "breakpoints[].path",
        "required": true,
        "text": "a string, not empty"
      },
      {
        "name": "breakpoints[].line",
        "required": true,
        "text": "an integer, at least 1"
      },
      {
        "name": "breakpoints[].condition",
        "required": false,
        "text": "a string"
      },
      {
        "name": "breakpoints[].hitCondition",
        "required": false,
        "text": "a string"
      },
      {
        "name": "breakpoints[].logMessage",
        "required": false,
        "text": "a string"
      },
      {
        "name": "stopOnFailure",
        "required": false,
        "text": "true or false, default true"
      },
      {
        "name": "timeoutMs",
        "required": false,
        "text": "an integer, at least 100, at most 300000, default 30000"
      }
    ],
    "needs": [
      {
        "what": "a workspace",
        "code": "E_NO_WORKSPACE",
        "hint": "Start the front in the folder of the project, or with --workspace <folder>."
      }
    ],
    "errors": [
      {
        "code": "E_FILE_NOT_FOUND",
        "retryable": false,
        "hint": "Paths are relative to the workspace."
      },
      {
        "code": "E_INVALID_LINE",
        "retryable": false,
        "hint": "Give a line that the file has."
      },
      {
        "code": "E_NO_TEST_AT_CURSOR",
        "retryable": false,
        "hint": "test_list gives every test with its line."
      },
      {
        "code": "E_DISCOVERY_FAILED",
        "retryable": false,
        "hint": "Known are pytest, node:test, vitest, go test; the runner must be installed."
      },
      {
        "code": "E_LAUNCH_FAILED",
        "retryable": false,
        "hint": "The message says why."
      },
      {
        "code": "E_UNSUPPORTED_LANGUAGE",
        "retryable": false,
        "hint": "There is no debugger for it."
      },
      {
        "code": "E_CAPACITY",
        "retryable": true,
        "hint": "End one with debug_stop."
      },
      {
        "code": "E_NO_SESSION",
        "retryable": false,
        "hint": "It ended in the middle of the call: call again."
      }
    ],
    "examples": [
      {
        "what": "the test around line 12",
        "params": {
          "path": "tests/test_shop.py",
          "line": 12
        }
      }
    ],
    "next": [
      "debug_evaluate",
      "debug_stack",
      "debug_trace_function"
    ],
    "aliases": [],
    "safety": "changes",
    "timeoutMs": 90000
  },
  "test_list": {
    "name": "test_list",
    "summary": "List the tests of a file with their lines, without running anything",
    "more": [],
    "parameters": [
      {
        "name": "path",
        "required": true,
        "text": "a string, not empty"
      }
    ],
    "needs": [
      {
        "what": "a workspace",
        "code": "E_NO_WORKSPACE",
        "hint": "Start the front in the folder of the project, or with --workspace <folder>."
      }
    ],
    "errors": [
      {
        "code": "E_FILE_NOT_FOUND",
        "retryable": false,
        "hint": "Give a path relative to the workspace."
      },
      {
        "code": "E_DISCOVERY_FAILED",
        "retryable": false,
        "hint": "Tests of pytest, node:test, vitest and go test are known."
      }
    ],
    "examples": [
      {
        "what": "tests of a file",
        "params": {
          "path": "tests/test_shop.py"
        }
      }
    ],
    "next": [
      "test_debug_single"
    ],
    "aliases": [],
    "safety": "reads only, idempotent",
    "timeoutMs": 10000
  },
  "util_restart_vscode": {
    "name": "util_restart_vscode",
    "summary": "Reload the VS Code window",
    "more": [],
    "parameters": [],
    "needs": [
      {
        "what": "a VS Code window",
        "code": "E_BRIDGE_UNAVAILABLE",
        "hint": "Open the workspace in VS Code with the Switchboard extension; bridge_status tells more."
      }
    ],
    "errors": [],
    "examples": [],
    "next": [],
    "aliases": [],
    "safety": "changes, destructive",
    "timeoutMs": 15000
  },
  "variable_get": {
    "name": "variable_get",
    "summary": "Page through what is inside a variable, or through a long text",
    "more": [],
    "parameters": [
      {
        "name": "variablesReference",
        "required": false,
        "text": "an integer, at least 1; a ref that was shown"
      },
      {
        "name": "expression",
        "required": false,
        "text": "a string, not empty; in place of a reference"
      },
      {
        "name": "start",
        "required": false,
        "text": "an integer, at least 0, default 0"
      },
      {
        "name": "count",
        "required": false,
        "text": "an integer, at least 1, at most 1000, default 100"
      },
      {
        "name": "filter",
        "required": false,
        "text": "one of \"indexed\", \"named\", \"all\", default \"all\""
      },
      {
        "name": "sessionId",
        "required": false,
        "text": "a string; default: the current session"
      }
    ],
    "needs": [
      {
        "what": "a debug session",
        "code": "E_NO_SESSION",
        "hint": "Start one with debug_start."
      },
      {
        "what": "a paused debug session",
        "code": "E_NOT_PAUSED",
        "hint": "Pause it with debug_pause, or wait for a breakpoint with debug_wait_for_hit."
      }
    ],
    "errors": [
      {
        "code": "E_EVALUATE_FAILED",
        "retryable": false,
        "hint": "Correct the expression; variable_list shows what is there."
      }
    ],
    "examples": [],
    "next": [],
    "aliases": [
      "debug_get_variable"
    ],
    "safety": "reads only, idempotent",
    "timeoutMs": 15000
  },
  "variable_list": {
    "name": "variable_list",
    "summary": "The variables of a frame, with what is inside them",
    "more": [],
    "parameters": [
      {
        "name": "scope",
        "required": false,
        "text": "one of \"local\", \"closure\", \"global\", \"all\", default \"local\"; local: blocks, function and arguments as one"
      },
      {
        "name": "maxDepth",
        "required": false,
        "text": "an integer, at least 0, at most 10, default 1; how deep to look inside"
      },
      {
        "name": "frameId",
        "required": false,
        "text": "an integer; of debug_stack; default: the frame shown last"
      },
      {
        "name": "sessionId",
        "required": false,
        "text": "a string; default: the current session"
      }
    ],
    "needs": [
      {
        "what": "a debug session",
        "code": "E_NO_SESSION",
        "hint": "Start one with debug_start."
      },
      {
        "what": "a paused debug session",
        "code": "E_NOT_PAUSED",
        "hint": "Pause it with debug_pause, or wait for a breakpoint with debug_wait_for_hit."
      }
    ],
    "errors": [],
    "examples": [],
    "next": [
      "variable_get",
      "variable_set"
    ],
    "aliases": [
      "debug_list_variables"
    ],
    "safety": "reads only, idempotent",
    "timeoutMs": 15000
  },
  "variable_save": {
    "name": "variable_save",
    "summary": "Write a large variable into a file of the workspace, as JSON lines",
    "more": [],
    "parameters": [
      {
        "name": "outputPath",
        "required": true,
        "text": "a string, not empty; in the workspace"
      },
      {
        "name": "expression",
        "required": true,
        "text": "a string, not empty"
      },
      {
        "name": "pageSize",
        "required": false,
        "text": "an integer, at least 1, at most 5000, default 500"
      },
      {
        "name": "maxItems",
        "required": false,
        "text": "an integer, at least 1; default: all, up to 1000000"
      },
      {
        "name": "context",
        "required": false,
        "text": "one of \"watch\", \"repl\", \"hover\", default \"watch\""
      },
      {
        "name": "overwrite",
        "required": false,
        "text": "true or false, default false"
      },
      {
        "name": "sessionId",
        "required": false,
        "text": "a string; default: the current session"
      }
    ],
    "needs": [
      {
        "what": "a workspace",
        "code": "E_NO_WORKSPACE",
        "hint": "Start the front in the folder of the project, or with --workspace <folder>."
      },
      {
        "what": "a debug session",
        "code": "E_NO_SESSION",
        "hint": "Start one with debug_start."
      },
      {
        "what": "a paused debug session",
        "code": "E_NOT_PAUSED",
        "hint": "Pause it with debug_pause, or wait for a breakpoint with debug_wait_for_hit."
      }
    ],
    "errors": [
      {
        "code": "E_OUTSIDE_WORKSPACE",
        "retryable": false,
        "hint": "Give a path in the workspace."
      },
      {
        "code": "E_FILE_EXISTS",
        "retryable": false,
        "hint": "Choose another path, or set overwrite."
      },
      {
        "code": "E_WRITE_FAILED",
        "retryable": true,
        "hint": "Look at the folder: rights and room."
      },
      {
        "code": "E_NOT_EXPANDABLE",
        "retryable": false,
        "hint": "It has nothing inside: debug_evaluate shows it whole."
      },
      {
        "code": "E_EVALUATE_FAILED",
        "retryable": false,
        "hint": "Correct the expression; variable_list shows what is there."
      }
    ],
    "examples": [
      {
        "what": "a long list as lines of JSON",
        "params": {
          "expression": "rows",
          "outputPath": "rows.jsonl"
        }
      }
    ],
    "next": [],
    "aliases": [
      "debug_save_variable"
    ],
    "safety": "changes",
    "timeoutMs": 120000
  },
  "variable_set": {
    "name": "variable_set",
    "summary": "Give a variable another value, to see what would happen",
    "more": [],
    "parameters": [
      {
        "name": "name",
        "required": true,
        "text": "a string, not empty"
      },
      {
        "name": "value",
        "required": true,
        "text": "a string, not empty; as the language writes it: 42, \"text\""
      },
      {
        "name": "variablesReference",
        "required": false,
        "text": "an integer, at least 1; of the object or scope it stands in; default: the locals"
      },
      {
        "name": "frameId",
        "required": false,
        "text": "an integer; default: the frame shown last"
      },
      {
        "name": "sessionId",
        "required": false,
        "text": "a string; default: the current session"
      }
    ],
    "needs": [
      {
        "what": "a debug session",
        "code": "E_NO_SESSION",
        "hint": "Start one with debug_start."
      },
      {
        "what": "a paused debug session",
        "code": "E_NOT_PAUSED",
        "hint": "Pause it with debug_pause, or wait for a breakpoint with debug_wait_for_hit."
      }
    ],
    "errors": [
      {
        "code": "E_VARIABLE_NOT_FOUND",
        "retryable": false,
        "hint": "variable_list shows what is there."
      },
      {
        "code": "E_MODIFICATION_FAILED",
        "retryable": false,
        "hint": "Write the value as the language does; some values cannot be changed."
      }
    ],
    "examples": [
      {
        "what": "go on with another value",
        "params": {
          "name": "total",
          "value": "0"
        }
      }
    ],
    "next": [],
    "aliases": [
      "debug_set_variable"
    ],
    "safety": "changes, idempotent",
    "timeoutMs": 10000
  }
}

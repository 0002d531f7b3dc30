// Generated from the *.meta.yaml files and guides of this pack. Do not edit: npm run generate.
import type { PackManifest } from '@switchboard/toolkit'

export const manifest: PackManifest = {
  "pack": "debug",
  "tools": [
    {
      "alias": "breakpoint.add",
      "name": "breakpoint_add",
      "aliases": [
        "breakpoint_set"
      ],
      "category": "breakpoint",
      "summary": "Set a breakpoint, also one with a condition or a hit count, or a logpoint",
      "description": "A second one on the same line replaces the first. Without a session it is kept for the next one. The answer says whether it is bound, and where it moved to.",
      "input": {
        "type": "object",
        "properties": {
          "path": {
            "type": "string",
            "minLength": 1,
            "description": "relative to the workspace"
          },
          "line": {
            "type": "integer",
            "minimum": 1
          },
          "condition": {
            "type": "string",
            "minLength": 1,
            "description": "stop only when it holds, in the program's language"
          },
          "hitCondition": {
            "type": "string",
            "minLength": 1,
            "description": "5, >= 3, % 10"
          },
          "logMessage": {
            "type": "string",
            "minLength": 1,
            "description": "print it and go on; {expression} inside is evaluated"
          }
        },
        "required": [
          "path",
          "line"
        ],
        "additionalProperties": false
      },
      "result": "action",
      "data": {
        "type": "object",
        "properties": {
          "breakpoint": {
            "$ref": "#/$defs/ShownBreakpoint"
          }
        },
        "required": [
          "breakpoint"
        ]
      },
      "timeoutMs": 10000,
      "safety": {
        "readOnly": false,
        "destructive": false,
        "idempotent": true
      },
      "requires": [
        "workspace"
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
      "listed": true,
      "core": true,
      "whenToUse": "debug_start takes breakpoints along as well, which saves a call",
      "parameterHints": {},
      "next": [
        "debug_start",
        "debug_continue"
      ]
    },
    {
      "alias": "breakpoint.clear.file",
      "name": "breakpoint_clear_file",
      "aliases": [],
      "category": "breakpoint",
      "summary": "Remove every breakpoint of a file",
      "input": {
        "type": "object",
        "properties": {
          "path": {
            "type": "string",
            "minLength": 1
          }
        },
        "required": [
          "path"
        ],
        "additionalProperties": false
      },
      "result": "action",
      "data": {
        "type": "object",
        "properties": {
          "path": {
            "type": "string"
          },
          "cleared": {
            "type": "integer"
          }
        },
        "required": [
          "path",
          "cleared"
        ]
      },
      "timeoutMs": 10000,
      "safety": {
        "readOnly": false,
        "destructive": false,
        "idempotent": true
      },
      "requires": [
        "workspace"
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
      "listed": true,
      "core": false,
      "parameterHints": {},
      "next": []
    },
    {
      "alias": "breakpoint.clear.project",
      "name": "breakpoint_clear_project",
      "aliases": [],
      "category": "breakpoint",
      "summary": "Remove every breakpoint",
      "input": {
        "type": "object",
        "properties": {},
        "additionalProperties": false
      },
      "result": "action",
      "data": {
        "type": "object",
        "properties": {
          "cleared": {
            "type": "integer"
          }
        },
        "required": [
          "cleared"
        ]
      },
      "timeoutMs": 10000,
      "safety": {
        "readOnly": false,
        "destructive": false,
        "idempotent": true
      },
      "requires": [],
      "errors": [],
      "examples": [],
      "listed": true,
      "core": true,
      "parameterHints": {},
      "next": []
    },
    {
      "alias": "breakpoint.list",
      "name": "breakpoint_list",
      "aliases": [],
      "category": "breakpoint",
      "summary": "List all breakpoints, and whether each is bound",
      "input": {
        "type": "object",
        "properties": {},
        "additionalProperties": false
      },
      "result": "query",
      "data": {
        "type": "object",
        "properties": {
          "breakpoints": {
            "type": "array",
            "items": {
              "$ref": "#/$defs/ShownBreakpoint"
            }
          },
          "total": {
            "type": "integer"
          }
        },
        "required": [
          "breakpoints",
          "total"
        ]
      },
      "timeoutMs": 5000,
      "safety": {
        "readOnly": true,
        "destructive": false,
        "idempotent": true
      },
      "requires": [
        "workspace"
      ],
      "errors": [],
      "examples": [],
      "listed": true,
      "core": true,
      "parameterHints": {},
      "next": []
    },
    {
      "alias": "breakpoint.remove",
      "name": "breakpoint_remove",
      "aliases": [],
      "category": "breakpoint",
      "summary": "Remove the breakpoint on a line",
      "input": {
        "type": "object",
        "properties": {
          "path": {
            "type": "string",
            "minLength": 1
          },
          "line": {
            "type": "integer",
            "minimum": 1
          }
        },
        "required": [
          "path",
          "line"
        ],
        "additionalProperties": false
      },
      "result": "action",
      "data": {
        "type": "object",
        "properties": {
          "path": {
            "type": "string"
          },
          "line": {
            "type": "integer"
          },
          "removed": {
            "const": true
          }
        },
        "required": [
          "path",
          "line",
          "removed"
        ]
      },
      "timeoutMs": 10000,
      "safety": {
        "readOnly": false,
        "destructive": false,
        "idempotent": true
      },
      "requires": [
        "workspace"
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
      "listed": true,
      "core": true,
      "parameterHints": {},
      "next": []
    },
    {
      "alias": "bridge.status",
      "name": "bridge_status",
      "aliases": [],
      "category": "editor",
      "summary": "Whether a VS Code window belongs to this caller, and what runs the debugger",
      "input": {
        "type": "object",
        "properties": {},
        "additionalProperties": false
      },
      "result": "query",
      "data": {
        "type": "object",
        "properties": {
          "healthy": {
            "type": "boolean"
          },
          "lastSeen": {
            "type": [
              "string",
              "null"
            ]
          },
          "lastSeenAgo": {
            "type": [
              "number",
              "null"
            ]
          },
          "bridgeRoot": {
            "type": [
              "string",
              "null"
            ]
          },
          "transport": {
            "type": "string",
            "enum": [
              "none"
            ]
          },
          "backend": {
            "type": "string",
            "enum": [
              "headless"
            ]
          }
        },
        "required": [
          "healthy",
          "lastSeen",
          "lastSeenAgo",
          "bridgeRoot",
          "transport",
          "backend"
        ]
      },
      "timeoutMs": 5000,
      "safety": {
        "readOnly": true,
        "destructive": false,
        "idempotent": true
      },
      "requires": [],
      "errors": [],
      "examples": [],
      "listed": true,
      "core": false,
      "parameterHints": {},
      "next": []
    },
    {
      "alias": "code.replace-method",
      "name": "code_replace_method",
      "aliases": [],
      "category": "symbol",
      "summary": "Replace the whole text of a function or class; an empty text deletes it",
      "input": {
        "type": "object",
        "properties": {
          "nodeId": {
            "type": "string",
            "minLength": 1,
            "description": "type:path:qualified.name, in place of path and symbol"
          },
          "path": {
            "type": "string",
            "minLength": 1
          },
          "symbol": {
            "type": "string",
            "minLength": 1
          },
          "replacement": {
            "type": "string"
          }
        },
        "required": [
          "replacement"
        ],
        "additionalProperties": false
      },
      "result": "action",
      "timeoutMs": 15000,
      "safety": {
        "readOnly": false,
        "destructive": true,
        "idempotent": false
      },
      "requires": [
        "language-server"
      ],
      "errors": [],
      "examples": [],
      "listed": true,
      "core": false,
      "parameterHints": {},
      "next": []
    },
    {
      "alias": "dap.compare",
      "name": "dap_compare",
      "aliases": [],
      "category": "output",
      "summary": "Compare two captured sessions, such as a run that failed and one that did not",
      "input": {
        "type": "object",
        "properties": {
          "sessionA": {
            "type": "string"
          },
          "sessionB": {
            "type": "string"
          },
          "compareBy": {
            "type": "string",
            "enum": [
              "counts",
              "exceptions",
              "timeline",
              "outputs"
            ],
            "default": "counts"
          }
        },
        "required": [
          "sessionA",
          "sessionB"
        ],
        "additionalProperties": false
      },
      "result": "query",
      "data": {
        "type": "object",
        "properties": {
          "compareBy": {
            "type": "string"
          },
          "same": {
            "type": "boolean"
          },
          "differences": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "what": {
                  "type": "string"
                },
                "a": {
                  "type": "string"
                },
                "b": {
                  "type": "string"
                }
              },
              "required": [
                "what"
              ]
            }
          },
          "truncated": {
            "type": "boolean"
          }
        },
        "required": [
          "compareBy",
          "same",
          "differences",
          "truncated"
        ]
      },
      "timeoutMs": 30000,
      "safety": {
        "readOnly": true,
        "destructive": false,
        "idempotent": true
      },
      "requires": [],
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
      "listed": true,
      "core": false,
      "parameterHints": {},
      "next": []
    },
    {
      "alias": "dap.exceptions",
      "name": "dap_exceptions",
      "aliases": [],
      "category": "output",
      "summary": "List the exceptions of a debugged program, with stack and the output before each",
      "input": {
        "type": "object",
        "properties": {
          "sessionId": {
            "type": "string",
            "description": "a captured session; default is the newest"
          },
          "count": {
            "type": "integer",
            "minimum": 1,
            "maximum": 100,
            "default": 10
          },
          "withContext": {
            "type": "boolean",
            "default": true
          },
          "contextLines": {
            "type": "integer",
            "minimum": 0,
            "maximum": 50,
            "default": 5
          }
        },
        "additionalProperties": false
      },
      "result": "query",
      "data": {
        "type": "object",
        "properties": {
          "exceptions": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "ts": {
                  "type": "number"
                },
                "relativeTime": {
                  "type": "string"
                },
                "type": {
                  "type": "string"
                },
                "message": {
                  "type": "string"
                },
                "from": {
                  "type": "string",
                  "enum": [
                    "stop",
                    "output"
                  ],
                  "description": "a stop of the debugger or only printed"
                },
                "stack": {
                  "type": "array",
                  "items": {
                    "type": "string"
                  }
                },
                "before": {
                  "type": "array",
                  "items": {
                    "type": "string"
                  }
                }
              },
              "required": [
                "ts",
                "relativeTime",
                "type",
                "message",
                "from",
                "stack"
              ]
            }
          },
          "total": {
            "type": "integer"
          },
          "session": {
            "type": "object"
          }
        },
        "required": [
          "exceptions",
          "total",
          "session"
        ]
      },
      "timeoutMs": 30000,
      "safety": {
        "readOnly": true,
        "destructive": false,
        "idempotent": true
      },
      "requires": [],
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
      "listed": true,
      "core": false,
      "parameterHints": {},
      "next": []
    },
    {
      "alias": "dap.filter",
      "name": "dap_filter",
      "aliases": [],
      "category": "output",
      "summary": "Filter the lines of a captured session by several criteria at once",
      "input": {
        "type": "object",
        "properties": {
          "sessionId": {
            "type": "string",
            "description": "a captured session; default is the newest"
          },
          "filters": {
            "type": "object",
            "properties": {
              "categories": {
                "type": "array",
                "items": {
                  "type": "string",
                  "enum": [
                    "stdout",
                    "stderr",
                    "console",
                    "telemetry"
                  ]
                }
              },
              "timeRange": {
                "type": "object",
                "properties": {
                  "from": {
                    "type": "number",
                    "description": "milliseconds after the start; negative: before the end"
                  },
                  "to": {
                    "type": "number"
                  }
                },
                "additionalProperties": false
              },
              "include": {
                "type": "array",
                "items": {
                  "type": "string"
                },
                "description": "texts, any of them"
              },
              "exclude": {
                "type": "array",
                "items": {
                  "type": "string"
                },
                "description": "texts, none of them"
              },
              "sources": {
                "type": "array",
                "items": {
                  "type": "string"
                },
                "description": "parts of paths"
              },
              "minLength": {
                "type": "integer",
                "minimum": 0
              },
              "maxLength": {
                "type": "integer",
                "minimum": 0
              }
            },
            "additionalProperties": false,
            "description": "at least one of its members"
          }
        },
        "required": [
          "filters"
        ],
        "additionalProperties": false
      },
      "result": "query",
      "data": {
        "type": "object",
        "properties": {
          "events": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "ts": {
                  "type": "number"
                },
                "relativeTime": {
                  "type": "string"
                },
                "category": {
                  "type": "string"
                },
                "text": {
                  "type": "string"
                },
                "source": {
                  "type": "string"
                }
              },
              "required": [
                "ts",
                "relativeTime",
                "category",
                "text"
              ]
            }
          },
          "stats": {
            "type": "object"
          },
          "totalFiltered": {
            "type": "integer"
          },
          "totalInSession": {
            "type": "integer"
          },
          "session": {
            "type": "object"
          }
        },
        "required": [
          "events",
          "stats",
          "totalFiltered",
          "totalInSession",
          "session"
        ]
      },
      "timeoutMs": 30000,
      "safety": {
        "readOnly": true,
        "destructive": false,
        "idempotent": true
      },
      "requires": [],
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
      "listed": true,
      "core": false,
      "parameterHints": {},
      "next": []
    },
    {
      "alias": "dap.logs",
      "name": "dap_logs",
      "aliases": [],
      "category": "output",
      "summary": "Show the last lines that the debugged program printed",
      "input": {
        "type": "object",
        "properties": {
          "sessionId": {
            "type": "string",
            "description": "a captured session; default is the newest"
          },
          "count": {
            "type": "integer",
            "minimum": 1,
            "maximum": 10000,
            "default": 20
          },
          "category": {
            "type": "string",
            "enum": [
              "all",
              "stdout",
              "stderr",
              "console",
              "telemetry"
            ],
            "default": "all"
          },
          "search": {
            "type": "string",
            "minLength": 1,
            "description": "regular expression, any case"
          },
          "since": {
            "type": "number",
            "description": "milliseconds since 1970; negative: before now"
          },
          "reverse": {
            "type": "boolean",
            "description": "newest first",
            "default": false
          },
          "showSource": {
            "type": "boolean",
            "default": true
          }
        },
        "additionalProperties": false
      },
      "result": "query",
      "data": {
        "type": "object",
        "properties": {
          "logs": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "ts": {
                  "type": "number"
                },
                "relativeTime": {
                  "type": "string"
                },
                "category": {
                  "type": "string"
                },
                "text": {
                  "type": "string"
                },
                "source": {
                  "type": "string"
                }
              },
              "required": [
                "ts",
                "relativeTime",
                "category",
                "text"
              ]
            }
          },
          "matched": {
            "type": "integer"
          },
          "total": {
            "type": "integer"
          },
          "filtered": {
            "type": "object",
            "properties": {
              "byCategory": {
                "type": "integer"
              },
              "bySearch": {
                "type": "integer"
              },
              "byTime": {
                "type": "integer"
              }
            },
            "required": [
              "byCategory",
              "bySearch",
              "byTime"
            ]
          },
          "session": {
            "type": "object"
          }
        },
        "required": [
          "logs",
          "matched",
          "total",
          "filtered",
          "session"
        ]
      },
      "timeoutMs": 30000,
      "safety": {
        "readOnly": true,
        "destructive": false,
        "idempotent": true
      },
      "requires": [],
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
      "listed": true,
      "core": false,
      "whenToUse": "Use it to read output again; every stop shows its new output already",
      "parameterHints": {},
      "next": [
        "dap_search"
      ]
    },
    {
      "alias": "dap.search",
      "name": "dap_search",
      "aliases": [],
      "category": "output",
      "summary": "Search what debugged programs printed, in one or all captured sessions",
      "input": {
        "type": "object",
        "properties": {
          "sessionId": {
            "type": "string",
            "description": "default is all captured sessions"
          },
          "pattern": {
            "type": "string",
            "minLength": 1,
            "maxLength": 1000,
            "description": "regular expression"
          },
          "category": {
            "type": "string",
            "enum": [
              "all",
              "stdout",
              "stderr",
              "console",
              "telemetry"
            ],
            "default": "all"
          },
          "contextLines": {
            "type": "integer",
            "minimum": 0,
            "maximum": 20,
            "default": 2
          },
          "limit": {
            "type": "integer",
            "minimum": 1,
            "maximum": 1000,
            "default": 50
          },
          "caseSensitive": {
            "type": "boolean",
            "default": false
          }
        },
        "required": [
          "pattern"
        ],
        "additionalProperties": false
      },
      "result": "query",
      "data": {
        "type": "object",
        "properties": {
          "matches": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "session": {
                  "type": "string"
                },
                "line": {
                  "type": "object",
                  "properties": {
                    "ts": {
                      "type": "number"
                    },
                    "relativeTime": {
                      "type": "string"
                    },
                    "category": {
                      "type": "string"
                    },
                    "text": {
                      "type": "string"
                    },
                    "source": {
                      "type": "string"
                    }
                  },
                  "required": [
                    "ts",
                    "relativeTime",
                    "category",
                    "text"
                  ]
                },
                "before": {
                  "type": "array",
                  "items": {
                    "type": "string"
                  }
                },
                "after": {
                  "type": "array",
                  "items": {
                    "type": "string"
                  }
                }
              },
              "required": [
                "session",
                "line",
                "before",
                "after"
              ]
            }
          },
          "totalMatches": {
            "type": "integer"
          },
          "matchesBySession": {
            "type": "object"
          },
          "sessionsSearched": {
            "type": "integer"
          },
          "pattern": {
            "type": "string"
          },
          "truncated": {
            "type": "boolean"
          }
        },
        "required": [
          "matches",
          "totalMatches",
          "matchesBySession",
          "sessionsSearched",
          "pattern",
          "truncated"
        ]
      },
      "timeoutMs": 30000,
      "safety": {
        "readOnly": true,
        "destructive": false,
        "idempotent": true
      },
      "requires": [],
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
      "listed": true,
      "core": false,
      "parameterHints": {},
      "next": []
    },
    {
      "alias": "dap.stats",
      "name": "dap_stats",
      "aliases": [],
      "category": "output",
      "summary": "Count what a program printed by category, source, hour or session, and point out what is unusual",
      "input": {
        "type": "object",
        "properties": {
          "sessionId": {
            "type": "string",
            "description": "default is the newest; with groupBy session, all"
          },
          "groupBy": {
            "type": "string",
            "enum": [
              "category",
              "source",
              "hour",
              "session"
            ],
            "default": "category"
          },
          "includeCharts": {
            "type": "boolean",
            "default": true
          }
        },
        "additionalProperties": false
      },
      "result": "query",
      "data": {
        "type": "object",
        "properties": {
          "distribution": {
            "type": "object",
            "additionalProperties": {
              "type": "integer"
            }
          },
          "topN": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "text": {
                  "type": "string"
                },
                "count": {
                  "type": "integer"
                }
              },
              "required": [
                "text",
                "count"
              ]
            },
            "description": "lines that repeat most"
          },
          "averages": {
            "type": "object",
            "properties": {
              "lineLength": {
                "type": "number"
              },
              "linesPerSecond": {
                "type": "number"
              }
            },
            "required": [
              "lineLength",
              "linesPerSecond"
            ]
          },
          "anomalies": {
            "type": "array",
            "items": {
              "type": "string"
            }
          },
          "charts": {
            "type": "string"
          },
          "summary": {
            "type": "string"
          }
        },
        "required": [
          "distribution",
          "topN",
          "averages",
          "anomalies",
          "summary"
        ]
      },
      "timeoutMs": 30000,
      "safety": {
        "readOnly": true,
        "destructive": false,
        "idempotent": true
      },
      "requires": [],
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
      "listed": true,
      "core": false,
      "parameterHints": {},
      "next": []
    },
    {
      "alias": "dap.summary",
      "name": "dap_summary",
      "aliases": [],
      "category": "output",
      "summary": "Report on a captured session - how it ended, what it printed, whether it is healthy",
      "input": {
        "type": "object",
        "properties": {
          "sessionId": {
            "type": "string",
            "description": "a captured session; default is the newest"
          },
          "compact": {
            "type": "boolean",
            "description": "without samples",
            "default": false
          }
        },
        "additionalProperties": false
      },
      "result": "query",
      "data": {
        "type": "object",
        "properties": {
          "session": {
            "type": "object"
          },
          "counts": {
            "type": "object",
            "properties": {
              "stdout": {
                "type": "integer"
              },
              "stderr": {
                "type": "integer"
              },
              "console": {
                "type": "integer"
              },
              "events": {
                "type": "object"
              },
              "exceptions": {
                "type": "integer"
              }
            },
            "required": [
              "stdout",
              "stderr",
              "console",
              "events",
              "exceptions"
            ]
          },
          "metrics": {
            "type": "object",
            "properties": {
              "duration": {
                "type": "number"
              },
              "bytes": {
                "type": "integer"
              },
              "linesPerSecond": {
                "type": "number"
              }
            },
            "required": [
              "duration",
              "bytes",
              "linesPerSecond"
            ]
          },
          "health": {
            "type": "object",
            "properties": {
              "hasExceptions": {
                "type": "boolean"
              },
              "exceptionRate": {
                "type": "number"
              },
              "errorRatio": {
                "type": "number"
              },
              "exitCode": {
                "type": [
                  "integer",
                  "null"
                ]
              },
              "abnormalExit": {
                "type": "boolean"
              },
              "truncated": {
                "type": "boolean"
              }
            },
            "required": [
              "hasExceptions",
              "exceptionRate",
              "errorRatio",
              "abnormalExit",
              "truncated"
            ]
          },
          "samples": {
            "type": "object",
            "properties": {
              "first": {
                "type": "array",
                "items": {
                  "type": "string"
                }
              },
              "last": {
                "type": "array",
                "items": {
                  "type": "string"
                }
              },
              "stderr": {
                "type": "array",
                "items": {
                  "type": "string"
                }
              }
            }
          }
        },
        "required": [
          "session",
          "counts",
          "metrics",
          "health"
        ]
      },
      "timeoutMs": 30000,
      "safety": {
        "readOnly": true,
        "destructive": false,
        "idempotent": true
      },
      "requires": [],
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
      "listed": true,
      "core": false,
      "parameterHints": {},
      "next": [
        "dap_exceptions",
        "dap_logs"
      ]
    },
    {
      "alias": "dap.timeline",
      "name": "dap_timeline",
      "aliases": [
        "debug_tracker"
      ],
      "category": "output",
      "summary": "Show what happened in a captured session, in order",
      "input": {
        "type": "object",
        "properties": {
          "sessionId": {
            "type": "string",
            "description": "a captured session; default is the newest"
          },
          "eventTypes": {
            "type": "array",
            "items": {
              "type": "string",
              "enum": [
                "started",
                "stopped",
                "continued",
                "exception",
                "thread",
                "breakpoint",
                "child",
                "exited",
                "terminated",
                "output"
              ]
            },
            "description": "default is all"
          },
          "window": {
            "type": "number",
            "minimum": 1,
            "description": "milliseconds from the start, or before the end"
          },
          "granularity": {
            "type": "string",
            "enum": [
              "all",
              "summary",
              "milestones"
            ],
            "description": "summary: runs of output are one line; milestones: no output",
            "default": "all"
          },
          "fromEnd": {
            "type": "boolean",
            "default": false
          }
        },
        "additionalProperties": false
      },
      "result": "query",
      "data": {
        "type": "object",
        "properties": {
          "timeline": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "ts": {
                  "type": "number"
                },
                "relativeTime": {
                  "type": "string"
                },
                "type": {
                  "type": "string"
                },
                "text": {
                  "type": "string"
                }
              },
              "required": [
                "ts",
                "relativeTime",
                "type",
                "text"
              ]
            }
          },
          "milestones": {
            "type": "integer"
          },
          "duration": {
            "type": "number",
            "description": "milliseconds"
          },
          "eventCount": {
            "type": "integer"
          },
          "session": {
            "type": "object"
          }
        },
        "required": [
          "timeline",
          "milestones",
          "duration",
          "eventCount",
          "session"
        ]
      },
      "timeoutMs": 30000,
      "safety": {
        "readOnly": true,
        "destructive": false,
        "idempotent": true
      },
      "requires": [],
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
      "listed": true,
      "core": false,
      "parameterHints": {},
      "next": []
    },
    {
      "alias": "debug.continue",
      "name": "debug_continue",
      "aliases": [],
      "category": "debug",
      "summary": "Go on to the next stop or the end; answers with a snapshot of it",
      "input": {
        "type": "object",
        "properties": {
          "sessionId": {
            "type": "string",
            "description": "default: the current session"
          },
          "threadId": {
            "type": "integer",
            "description": "default: the thread that stopped last"
          },
          "timeoutMs": {
            "type": "integer",
            "minimum": 100,
            "maximum": 300000,
            "description": "then it answers that the program still runs",
            "default": 30000
          },
          "until": {
            "type": "object",
            "properties": {
              "path": {
                "type": "string",
                "minLength": 1,
                "description": "default: the current file"
              },
              "line": {
                "type": "integer",
                "minimum": 1
              },
              "condition": {
                "type": "string",
                "minLength": 1
              }
            },
            "additionalProperties": false,
            "description": "run to this line; with only a condition: step until it holds"
          }
        },
        "additionalProperties": false
      },
      "result": "waitable",
      "data": {
        "$ref": "#/$defs/Snapshot"
      },
      "timeoutMs": 45000,
      "safety": {
        "readOnly": false,
        "destructive": false,
        "idempotent": false
      },
      "requires": [
        "session",
        "paused"
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
      "listed": true,
      "core": true,
      "parameterHints": {},
      "next": [
        "debug_step_over",
        "debug_evaluate",
        "debug_wait_for_hit"
      ]
    },
    {
      "alias": "debug.evaluate",
      "name": "debug_evaluate",
      "aliases": [],
      "category": "debug",
      "summary": "Evaluate an expression where the program stands",
      "input": {
        "type": "object",
        "properties": {
          "expression": {
            "type": "string",
            "minLength": 1
          },
          "frameId": {
            "type": "integer",
            "description": "of debug_stack; default: the frame shown last"
          },
          "context": {
            "type": "string",
            "enum": [
              "watch",
              "repl",
              "hover"
            ],
            "description": "repl: statements; hover: without side effects",
            "default": "watch"
          },
          "sessionId": {
            "type": "string",
            "description": "default: the current session"
          },
          "timeoutMs": {
            "type": "integer",
            "minimum": 100,
            "maximum": 60000,
            "default": 5000
          }
        },
        "required": [
          "expression"
        ],
        "additionalProperties": false
      },
      "result": "query",
      "data": {
        "type": "object",
        "properties": {
          "name": {
            "type": "string",
            "description": "the expression"
          },
          "value": {
            "type": "string"
          },
          "result": {
            "type": "string",
            "description": "the same as value"
          },
          "type": {
            "type": "string"
          },
          "ref": {
            "type": "integer",
            "description": "for variable_get; good until the program goes on"
          },
          "named": {
            "type": "integer"
          },
          "indexed": {
            "type": "integer"
          }
        },
        "required": [
          "name",
          "value",
          "result"
        ]
      },
      "timeoutMs": 15000,
      "safety": {
        "readOnly": false,
        "destructive": false,
        "idempotent": false
      },
      "requires": [
        "session",
        "paused"
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
      "listed": true,
      "core": true,
      "whenToUse": "It can change the program, for an experiment",
      "parameterHints": {},
      "next": []
    },
    {
      "alias": "debug.pause",
      "name": "debug_pause",
      "aliases": [],
      "category": "debug",
      "summary": "Stop a running program where it is; answers with a snapshot",
      "input": {
        "type": "object",
        "properties": {
          "sessionId": {
            "type": "string",
            "description": "default: the current session"
          },
          "threadId": {
            "type": "integer",
            "description": "default: the thread that stopped last"
          },
          "timeoutMs": {
            "type": "integer",
            "minimum": 100,
            "maximum": 60000,
            "default": 5000
          }
        },
        "additionalProperties": false
      },
      "result": "waitable",
      "data": {
        "$ref": "#/$defs/Snapshot"
      },
      "timeoutMs": 15000,
      "safety": {
        "readOnly": false,
        "destructive": false,
        "idempotent": true
      },
      "requires": [
        "session"
      ],
      "errors": [],
      "examples": [],
      "listed": true,
      "core": true,
      "parameterHints": {},
      "next": []
    },
    {
      "alias": "debug.probe",
      "name": "debug_probe",
      "aliases": [],
      "category": "debug",
      "summary": "Run a program once and tell the values of expressions at several lines, in one answer",
      "input": {
        "type": "object",
        "properties": {
          "points": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "path": {
                  "type": "string",
                  "minLength": 1
                },
                "line": {
                  "type": "integer",
                  "minimum": 1,
                  "description": "values are those before the line runs"
                },
                "expressions": {
                  "type": "array",
                  "items": {
                    "type": "string",
                    "minLength": 1
                  },
                  "minItems": 1,
                  "maxItems": 10
                },
                "condition": {
                  "type": "string",
                  "minLength": 1
                }
              },
              "required": [
                "path",
                "line",
                "expressions"
              ],
              "additionalProperties": false
            },
            "minItems": 1,
            "maxItems": 20
          },
          "program": {
            "type": "string",
            "minLength": 1,
            "description": "as debug_start takes it"
          },
          "test": {
            "type": "object",
            "properties": {
              "path": {
                "type": "string",
                "minLength": 1
              },
              "line": {
                "type": "integer",
                "minimum": 1
              },
              "case": {
                "type": "string"
              }
            },
            "required": [
              "path",
              "line"
            ],
            "additionalProperties": false,
            "description": "in place of program"
          },
          "args": {
            "type": "array",
            "items": {
              "type": "string"
            }
          },
          "env": {
            "type": "object",
            "additionalProperties": {
              "type": "string"
            }
          },
          "language": {
            "type": "string"
          },
          "maxHits": {
            "type": "integer",
            "minimum": 1,
            "maximum": 10000,
            "description": "shown of each point; all are counted",
            "default": 50
          },
          "maxBytes": {
            "type": "integer",
            "minimum": 200,
            "maximum": 16000,
            "default": 4000
          },
          "timeoutMs": {
            "type": "integer",
            "minimum": 100,
            "maximum": 300000,
            "default": 30000
          }
        },
        "required": [
          "points"
        ],
        "additionalProperties": false
      },
      "result": "waitable",
      "data": {
        "type": "object",
        "properties": {
          "hits": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "point": {
                  "type": "integer"
                },
                "values": {
                  "type": "array",
                  "items": {
                    "type": "string"
                  }
                }
              },
              "required": [
                "point",
                "values"
              ]
            }
          },
          "points": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "path": {
                  "type": "string"
                },
                "line": {
                  "type": "integer"
                },
                "hits": {
                  "type": "integer"
                },
                "bound": {
                  "type": "boolean"
                },
                "movedTo": {
                  "type": "integer"
                },
                "message": {
                  "type": "string"
                }
              },
              "required": [
                "path",
                "line",
                "hits",
                "bound"
              ]
            }
          },
          "outcome": {
            "type": "string",
            "enum": [
              "ended",
              "time"
            ]
          },
          "exitCode": {
            "type": [
              "integer",
              "null"
            ]
          },
          "output": {
            "type": "string"
          }
        },
        "required": [
          "hits",
          "points",
          "outcome"
        ]
      },
      "timeoutMs": 60000,
      "safety": {
        "readOnly": false,
        "destructive": false,
        "idempotent": false
      },
      "requires": [
        "workspace"
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
      "listed": true,
      "core": true,
      "whenToUse": "Use it to see how values develop, or who changes one. The program runs to its end",
      "parameterHints": {},
      "next": [
        "debug_trace_function"
      ]
    },
    {
      "alias": "debug.restart",
      "name": "debug_restart",
      "aliases": [],
      "category": "debug",
      "summary": "Start the program of a session anew, with the same breakpoints; answers with a snapshot",
      "input": {
        "type": "object",
        "properties": {
          "sessionId": {
            "type": "string",
            "description": "default: the current session"
          },
          "timeoutMs": {
            "type": "integer",
            "minimum": 100,
            "maximum": 300000,
            "default": 30000
          }
        },
        "additionalProperties": false
      },
      "result": "waitable",
      "data": {
        "$ref": "#/$defs/Snapshot"
      },
      "timeoutMs": 90000,
      "safety": {
        "readOnly": false,
        "destructive": false,
        "idempotent": false
      },
      "requires": [],
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
      "listed": true,
      "core": true,
      "parameterHints": {},
      "next": []
    },
    {
      "alias": "debug.run-to",
      "name": "debug_run_to",
      "aliases": [],
      "category": "debug",
      "summary": "Run to a line and show what is there, without leaving a breakpoint behind",
      "input": {
        "type": "object",
        "properties": {
          "path": {
            "type": "string",
            "minLength": 1,
            "description": "default: the current file"
          },
          "line": {
            "type": "integer",
            "minimum": 1
          },
          "condition": {
            "type": "string",
            "minLength": 1,
            "description": "stop there only when it holds"
          },
          "sessionId": {
            "type": "string",
            "description": "default: the current session"
          },
          "threadId": {
            "type": "integer",
            "description": "default: the thread that stopped last"
          },
          "timeoutMs": {
            "type": "integer",
            "minimum": 100,
            "maximum": 300000,
            "default": 30000
          }
        },
        "required": [
          "line"
        ],
        "additionalProperties": false
      },
      "result": "waitable",
      "data": {
        "$ref": "#/$defs/Snapshot"
      },
      "timeoutMs": 45000,
      "safety": {
        "readOnly": false,
        "destructive": false,
        "idempotent": false
      },
      "requires": [
        "session",
        "paused"
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
      "listed": true,
      "core": true,
      "parameterHints": {},
      "next": []
    },
    {
      "alias": "debug.scopes",
      "name": "debug_scopes",
      "aliases": [],
      "category": "debug",
      "summary": "The scopes of a frame, each with a reference for variable_get",
      "input": {
        "type": "object",
        "properties": {
          "frameId": {
            "type": "integer",
            "description": "default: the frame shown last"
          },
          "sessionId": {
            "type": "string",
            "description": "default: the current session"
          }
        },
        "additionalProperties": false
      },
      "result": "query",
      "data": {
        "type": "object",
        "properties": {
          "frameId": {
            "type": "integer"
          },
          "scopes": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "name": {
                  "type": "string"
                },
                "kind": {
                  "type": "string",
                  "enum": [
                    "local",
                    "arguments",
                    "block",
                    "closure",
                    "global",
                    "registers",
                    "other"
                  ]
                },
                "ref": {
                  "type": "integer"
                },
                "expensive": {
                  "type": "boolean"
                }
              },
              "required": [
                "name",
                "kind",
                "ref",
                "expensive"
              ]
            }
          }
        },
        "required": [
          "frameId",
          "scopes"
        ]
      },
      "timeoutMs": 10000,
      "safety": {
        "readOnly": true,
        "destructive": false,
        "idempotent": true
      },
      "requires": [
        "session",
        "paused"
      ],
      "errors": [],
      "examples": [],
      "listed": true,
      "core": false,
      "parameterHints": {},
      "next": []
    },
    {
      "alias": "debug.stack",
      "name": "debug_stack",
      "aliases": [],
      "category": "debug",
      "summary": "The whole call stack of a thread, with frame ids",
      "input": {
        "type": "object",
        "properties": {
          "sessionId": {
            "type": "string",
            "description": "default: the current session"
          },
          "threadId": {
            "type": "integer",
            "description": "default: the thread that stopped last"
          },
          "start": {
            "type": "integer",
            "minimum": 0,
            "default": 0
          },
          "count": {
            "type": "integer",
            "minimum": 1,
            "maximum": 500,
            "default": 50
          },
          "onlyUser": {
            "type": "boolean",
            "description": "leave out frames of libraries and of the runtime",
            "default": false
          }
        },
        "additionalProperties": false
      },
      "result": "query",
      "data": {
        "type": "object",
        "properties": {
          "threadId": {
            "type": "integer"
          },
          "frames": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "frameId": {
                  "type": "integer"
                },
                "name": {
                  "type": "string"
                },
                "path": {
                  "type": "string"
                },
                "line": {
                  "type": "integer"
                },
                "isUser": {
                  "type": "boolean",
                  "description": "not of a library or the runtime"
                }
              },
              "required": [
                "frameId",
                "name",
                "isUser"
              ]
            }
          },
          "total": {
            "type": "integer"
          },
          "hasMore": {
            "type": "boolean"
          }
        },
        "required": [
          "threadId",
          "frames",
          "hasMore"
        ]
      },
      "timeoutMs": 10000,
      "safety": {
        "readOnly": true,
        "destructive": false,
        "idempotent": true
      },
      "requires": [
        "session",
        "paused"
      ],
      "errors": [],
      "examples": [],
      "listed": true,
      "core": true,
      "parameterHints": {},
      "next": []
    },
    {
      "alias": "debug.start",
      "name": "debug_start",
      "aliases": [],
      "category": "debug",
      "summary": "Start a program under the debugger and run to the first stop; answers with a snapshot",
      "description": "Give the name of a configuration of launch.json, or a program, or what to attach to. Breakpoints set before hold as well. A compound starts all its sessions.",
      "input": {
        "type": "object",
        "properties": {
          "launch": {
            "type": "string",
            "minLength": 1,
            "description": "name of a configuration or compound in .vscode/launch.json"
          },
          "folder": {
            "type": "string",
            "minLength": 1,
            "description": "folder whose launch.json it is; default: the workspace"
          },
          "inputs": {
            "type": "object",
            "additionalProperties": {
              "type": "string"
            },
            "description": "values of its ${input:id}, by id"
          },
          "program": {
            "type": "string",
            "minLength": 1,
            "description": "file to run; for Go a package folder, for C, C++ and Rust the compiled program"
          },
          "module": {
            "type": "string",
            "minLength": 1,
            "description": "Python module in place of a program"
          },
          "args": {
            "type": "array",
            "items": {
              "type": "string"
            }
          },
          "cwd": {
            "type": "string",
            "minLength": 1,
            "description": "default: the workspace"
          },
          "env": {
            "type": "object",
            "additionalProperties": {
              "type": "string"
            }
          },
          "language": {
            "type": "string",
            "description": "node, typescript, python, c, cpp, rust, go, ruby; default: told by the program"
          },
          "runtime": {
            "type": "string",
            "description": "interpreter to run it with"
          },
          "runtimeArgs": {
            "type": "array",
            "items": {
              "type": "string"
            }
          },
          "attach": {
            "type": "object",
            "properties": {
              "port": {
                "type": "integer",
                "minimum": 1,
                "maximum": 65535
              },
              "pid": {
                "type": "integer",
                "minimum": 1
              },
              "host": {
                "type": "string"
              }
            },
            "additionalProperties": false,
            "description": "with language"
          },
          "breakpoints": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "path": {
                  "type": "string",
                  "minLength": 1
                },
                "line": {
                  "type": "integer",
                  "minimum": 1
                },
                "condition": {
                  "type": "string"
                },
                "hitCondition": {
                  "type": "string"
                },
                "logMessage": {
                  "type": "string"
                }
              },
              "required": [
                "path",
                "line"
              ],
              "additionalProperties": false
            },
            "maxItems": 100
          },
          "until": {
            "type": "object",
            "properties": {
              "path": {
                "type": "string",
                "minLength": 1
              },
              "line": {
                "type": "integer",
                "minimum": 1
              },
              "condition": {
                "type": "string"
              }
            },
            "required": [
              "line"
            ],
            "additionalProperties": false,
            "description": "run to this line of the program, once"
          },
          "stopOnEntry": {
            "type": "boolean",
            "default": false
          },
          "exceptions": {
            "type": "string",
            "enum": [
              "none",
              "uncaught",
              "all"
            ],
            "description": "which exceptions stop it; default: uncaught"
          },
          "skipTask": {
            "type": "boolean",
            "description": "do not run its preLaunchTask and postDebugTask"
          },
          "wait": {
            "type": "boolean",
            "description": "false: answer at once, then debug_wait_for_hit",
            "default": true
          },
          "timeoutMs": {
            "type": "integer",
            "minimum": 100,
            "maximum": 300000,
            "default": 30000
          }
        },
        "additionalProperties": false
      },
      "result": "waitable",
      "data": {
        "$ref": "#/$defs/Snapshot"
      },
      "timeoutMs": 90000,
      "safety": {
        "readOnly": false,
        "destructive": false,
        "idempotent": false
      },
      "requires": [
        "workspace"
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
      "listed": true,
      "core": true,
      "parameterHints": {},
      "next": [
        "debug_step_over",
        "debug_evaluate",
        "debug_continue",
        "debug_stop"
      ]
    },
    {
      "alias": "debug.status",
      "name": "debug_status",
      "aliases": [],
      "category": "debug",
      "summary": "All sessions and breakpoints, and where the current session stands",
      "input": {
        "type": "object",
        "properties": {},
        "additionalProperties": false
      },
      "result": "query",
      "data": {
        "type": "object",
        "properties": {
          "isActive": {
            "type": "boolean"
          },
          "isPaused": {
            "type": "boolean"
          },
          "current": {
            "type": "string",
            "description": "id of the session that calls without one are about"
          },
          "sessions": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "sessionId": {
                  "type": "string"
                },
                "name": {
                  "type": "string"
                },
                "language": {
                  "type": "string"
                },
                "state": {
                  "type": "string"
                },
                "pid": {
                  "type": "integer"
                },
                "parent": {
                  "type": "string"
                },
                "exitCode": {
                  "type": [
                    "integer",
                    "null"
                  ]
                }
              },
              "required": [
                "sessionId",
                "name",
                "language",
                "state"
              ]
            }
          },
          "totalBreakpoints": {
            "type": "integer"
          },
          "snapshot": {
            "$ref": "#/$defs/Snapshot"
          }
        },
        "required": [
          "isActive",
          "isPaused",
          "sessions",
          "totalBreakpoints"
        ]
      },
      "timeoutMs": 10000,
      "safety": {
        "readOnly": true,
        "destructive": false,
        "idempotent": true
      },
      "requires": [],
      "errors": [],
      "examples": [],
      "listed": true,
      "core": true,
      "parameterHints": {},
      "next": []
    },
    {
      "alias": "debug.step-into",
      "name": "debug_step_into",
      "aliases": [],
      "category": "debug",
      "summary": "Step into the call on the line; answers with the new place",
      "input": {
        "type": "object",
        "properties": {
          "sessionId": {
            "type": "string",
            "description": "default: the current session"
          },
          "threadId": {
            "type": "integer",
            "description": "default: the thread that stopped last"
          },
          "timeoutMs": {
            "type": "integer",
            "minimum": 100,
            "maximum": 300000,
            "default": 5000
          }
        },
        "additionalProperties": false
      },
      "result": "waitable",
      "data": {
        "$ref": "#/$defs/Snapshot"
      },
      "timeoutMs": 15000,
      "safety": {
        "readOnly": false,
        "destructive": false,
        "idempotent": false
      },
      "requires": [
        "session",
        "paused"
      ],
      "errors": [],
      "examples": [],
      "listed": true,
      "core": true,
      "parameterHints": {},
      "next": []
    },
    {
      "alias": "debug.step-out",
      "name": "debug_step_out",
      "aliases": [],
      "category": "debug",
      "summary": "Run to where this function was called from; answers with the new place",
      "input": {
        "type": "object",
        "properties": {
          "sessionId": {
            "type": "string",
            "description": "default: the current session"
          },
          "threadId": {
            "type": "integer",
            "description": "default: the thread that stopped last"
          },
          "timeoutMs": {
            "type": "integer",
            "minimum": 100,
            "maximum": 300000,
            "default": 5000
          }
        },
        "additionalProperties": false
      },
      "result": "waitable",
      "data": {
        "$ref": "#/$defs/Snapshot"
      },
      "timeoutMs": 15000,
      "safety": {
        "readOnly": false,
        "destructive": false,
        "idempotent": false
      },
      "requires": [
        "session",
        "paused"
      ],
      "errors": [],
      "examples": [],
      "listed": true,
      "core": true,
      "parameterHints": {},
      "next": []
    },
    {
      "alias": "debug.step-over",
      "name": "debug_step_over",
      "aliases": [],
      "category": "debug",
      "summary": "Step over the line (calls in it are run as a whole); answers with the new place",
      "input": {
        "type": "object",
        "properties": {
          "sessionId": {
            "type": "string",
            "description": "default: the current session"
          },
          "threadId": {
            "type": "integer",
            "description": "default: the thread that stopped last"
          },
          "timeoutMs": {
            "type": "integer",
            "minimum": 100,
            "maximum": 300000,
            "default": 5000
          }
        },
        "additionalProperties": false
      },
      "result": "waitable",
      "data": {
        "$ref": "#/$defs/Snapshot"
      },
      "timeoutMs": 15000,
      "safety": {
        "readOnly": false,
        "destructive": false,
        "idempotent": false
      },
      "requires": [
        "session",
        "paused"
      ],
      "errors": [],
      "examples": [],
      "listed": true,
      "core": true,
      "parameterHints": {},
      "next": []
    },
    {
      "alias": "debug.stop",
      "name": "debug_stop",
      "aliases": [],
      "category": "debug",
      "summary": "End a session and its program; one that was attached to goes on running",
      "input": {
        "type": "object",
        "properties": {
          "sessionId": {
            "type": "string",
            "description": "default: the current session"
          },
          "all": {
            "type": "boolean",
            "description": "every session"
          },
          "kill": {
            "type": "boolean",
            "description": "end a program that was attached to as well"
          }
        },
        "additionalProperties": false
      },
      "result": "action",
      "data": {
        "type": "object",
        "properties": {
          "status": {
            "const": "terminated"
          },
          "stoppedCount": {
            "type": "integer"
          },
          "stoppedSessions": {
            "type": "array",
            "items": {
              "type": "string"
            }
          },
          "output": {
            "type": "string"
          }
        },
        "required": [
          "status",
          "stoppedCount",
          "stoppedSessions"
        ]
      },
      "timeoutMs": 20000,
      "safety": {
        "readOnly": false,
        "destructive": false,
        "idempotent": false
      },
      "requires": [
        "session"
      ],
      "errors": [],
      "examples": [],
      "listed": true,
      "core": true,
      "parameterHints": {},
      "next": []
    },
    {
      "alias": "debug.threads",
      "name": "debug_threads",
      "aliases": [],
      "category": "debug",
      "summary": "All threads, and which of them stand",
      "input": {
        "type": "object",
        "properties": {
          "sessionId": {
            "type": "string",
            "description": "default: the current session"
          }
        },
        "additionalProperties": false
      },
      "result": "query",
      "data": {
        "type": "object",
        "properties": {
          "sessionId": {
            "type": "string"
          },
          "currentThreadId": {
            "type": "integer"
          },
          "threads": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "id": {
                  "type": "integer"
                },
                "name": {
                  "type": "string"
                },
                "state": {
                  "type": "string",
                  "enum": [
                    "running",
                    "stopped"
                  ]
                }
              },
              "required": [
                "id",
                "name",
                "state"
              ]
            }
          }
        },
        "required": [
          "sessionId",
          "threads"
        ]
      },
      "timeoutMs": 10000,
      "safety": {
        "readOnly": true,
        "destructive": false,
        "idempotent": true
      },
      "requires": [
        "session"
      ],
      "errors": [],
      "examples": [],
      "listed": true,
      "core": false,
      "parameterHints": {},
      "next": []
    },
    {
      "alias": "debug.trace-function",
      "name": "debug_trace_function",
      "aliases": [],
      "category": "debug",
      "summary": "Follow one call of a function line by line - every line with what it changed, in one answer",
      "input": {
        "type": "object",
        "properties": {
          "path": {
            "type": "string",
            "minLength": 1,
            "description": "file of the function"
          },
          "function": {
            "type": "string",
            "minLength": 1,
            "description": "name, or Class.name"
          },
          "line": {
            "type": "integer",
            "minimum": 1,
            "description": "in place of the name - first line to follow"
          },
          "call": {
            "type": "integer",
            "minimum": 1,
            "maximum": 1000000,
            "description": "which call of it",
            "default": 1
          },
          "condition": {
            "type": "string",
            "minLength": 1,
            "description": "only a call where this holds at its first line, such as q > 5"
          },
          "program": {
            "type": "string",
            "minLength": 1,
            "description": "as debug_start takes it"
          },
          "test": {
            "type": "object",
            "properties": {
              "path": {
                "type": "string",
                "minLength": 1
              },
              "line": {
                "type": "integer",
                "minimum": 1
              },
              "case": {
                "type": "string"
              }
            },
            "required": [
              "path",
              "line"
            ],
            "additionalProperties": false,
            "description": "in place of program"
          },
          "args": {
            "type": "array",
            "items": {
              "type": "string"
            }
          },
          "env": {
            "type": "object",
            "additionalProperties": {
              "type": "string"
            }
          },
          "language": {
            "type": "string"
          },
          "sessionId": {
            "type": "string",
            "description": "without program or test: goes on in this session; default is the current"
          },
          "maxSteps": {
            "type": "integer",
            "minimum": 1,
            "maximum": 2000,
            "default": 200
          },
          "maxBytes": {
            "type": "integer",
            "minimum": 200,
            "maximum": 16000,
            "default": 4000
          },
          "timeoutMs": {
            "type": "integer",
            "minimum": 100,
            "maximum": 300000,
            "default": 30000
          }
        },
        "required": [
          "path"
        ],
        "additionalProperties": false
      },
      "result": "waitable",
      "data": {
        "type": "object",
        "properties": {
          "function": {
            "type": "string"
          },
          "path": {
            "type": "string"
          },
          "arguments": {
            "type": "object"
          },
          "steps": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "line": {
                  "type": "integer"
                },
                "changed": {
                  "type": "object"
                }
              },
              "required": [
                "line",
                "changed"
              ]
            }
          },
          "outcome": {
            "type": "string",
            "enum": [
              "returned",
              "threw",
              "ended",
              "steps",
              "bytes",
              "time"
            ],
            "description": "steps, bytes, time: a budget was used up"
          },
          "returned": {
            "type": "string"
          },
          "exception": {
            "type": "string"
          },
          "output": {
            "type": "string"
          }
        },
        "required": [
          "function",
          "path",
          "arguments",
          "steps",
          "outcome"
        ]
      },
      "timeoutMs": 60000,
      "safety": {
        "readOnly": false,
        "destructive": false,
        "idempotent": false
      },
      "requires": [
        "workspace"
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
      "listed": true,
      "core": true,
      "whenToUse": "Use it in place of many steps, when a function gives a wrong result. Runs the program anew unless a session is meant",
      "parameterHints": {},
      "next": []
    },
    {
      "alias": "debug.wait-for-hit",
      "name": "debug_wait_for_hit",
      "aliases": [],
      "category": "debug",
      "summary": "Wait until a breakpoint is hit or the program ends; answers with a snapshot",
      "description": "Where the program stands already, that is the answer. Waiting changes nothing in the program; a wait that is cancelled or over leaves it running.",
      "input": {
        "type": "object",
        "properties": {
          "sessionId": {
            "type": "string",
            "description": "default: all sessions"
          },
          "timeoutMs": {
            "type": "integer",
            "minimum": 100,
            "maximum": 300000,
            "default": 30000
          }
        },
        "additionalProperties": false
      },
      "result": "waitable",
      "data": {
        "$ref": "#/$defs/Snapshot"
      },
      "timeoutMs": 45000,
      "safety": {
        "readOnly": true,
        "destructive": false,
        "idempotent": true
      },
      "requires": [
        "session"
      ],
      "errors": [
        {
          "code": "E_TIMEOUT",
          "retryable": true,
          "hint": "Call again to wait longer, debug_pause to see where it is, or debug_stop."
        }
      ],
      "examples": [],
      "listed": true,
      "core": true,
      "parameterHints": {},
      "next": []
    },
    {
      "alias": "diagnostic.collect",
      "name": "diagnostic_collect",
      "aliases": [],
      "category": "symbol",
      "summary": "Problems that language servers have found",
      "input": {
        "type": "object",
        "properties": {
          "path": {
            "type": "string",
            "minLength": 1
          }
        },
        "additionalProperties": false
      },
      "result": "query",
      "timeoutMs": 30000,
      "safety": {
        "readOnly": true,
        "destructive": false,
        "idempotent": true
      },
      "requires": [
        "language-server"
      ],
      "errors": [],
      "examples": [],
      "listed": true,
      "core": false,
      "parameterHints": {},
      "next": []
    },
    {
      "alias": "docs.get",
      "name": "docs_get",
      "aliases": [],
      "category": "docs",
      "summary": "Read a guide for debugging",
      "input": {
        "type": "object",
        "properties": {
          "id": {
            "type": "string",
            "description": "as docs_list gives it"
          }
        },
        "required": [
          "id"
        ],
        "additionalProperties": false
      },
      "result": "query",
      "data": {
        "type": "object",
        "properties": {
          "id": {
            "type": "string"
          },
          "title": {
            "type": "string"
          },
          "text": {
            "type": "string"
          }
        },
        "required": [
          "id",
          "title",
          "text"
        ]
      },
      "timeoutMs": 5000,
      "safety": {
        "readOnly": true,
        "destructive": false,
        "idempotent": true
      },
      "requires": [],
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
      "listed": true,
      "core": true,
      "parameterHints": {},
      "next": []
    },
    {
      "alias": "docs.list",
      "name": "docs_list",
      "aliases": [],
      "category": "docs",
      "summary": "List the guides for debugging",
      "input": {
        "type": "object",
        "properties": {
          "category": {
            "type": "string",
            "description": "one tag exactly"
          },
          "tags": {
            "type": "array",
            "items": {
              "type": "string"
            },
            "description": "any of them"
          }
        },
        "additionalProperties": false
      },
      "result": "query",
      "data": {
        "type": "object",
        "properties": {
          "guides": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "id": {
                  "type": "string"
                },
                "title": {
                  "type": "string"
                },
                "summary": {
                  "type": "string"
                },
                "tags": {
                  "type": "array",
                  "items": {
                    "type": "string"
                  }
                }
              },
              "required": [
                "id",
                "title",
                "summary",
                "tags"
              ]
            }
          }
        },
        "required": [
          "guides"
        ]
      },
      "timeoutMs": 5000,
      "safety": {
        "readOnly": true,
        "destructive": false,
        "idempotent": true
      },
      "requires": [],
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
      "listed": true,
      "core": true,
      "parameterHints": {},
      "next": [
        "docs_get"
      ]
    },
    {
      "alias": "editor.get-context",
      "name": "editor_get_context",
      "aliases": [],
      "category": "editor",
      "summary": "File, cursor, selection and symbols of the active editor",
      "input": {
        "type": "object",
        "properties": {},
        "additionalProperties": false
      },
      "result": "query",
      "timeoutMs": 5000,
      "safety": {
        "readOnly": true,
        "destructive": false,
        "idempotent": true
      },
      "requires": [
        "vscode"
      ],
      "errors": [],
      "examples": [],
      "listed": true,
      "core": false,
      "parameterHints": {},
      "next": []
    },
    {
      "alias": "editor.goto-line",
      "name": "editor_goto_line",
      "aliases": [],
      "category": "editor",
      "summary": "Open a file in the editor and move the cursor",
      "input": {
        "type": "object",
        "properties": {
          "path": {
            "type": "string",
            "minLength": 1
          },
          "line": {
            "type": "integer",
            "minimum": 1
          },
          "column": {
            "type": "integer",
            "minimum": 1,
            "default": 1
          }
        },
        "required": [
          "path",
          "line"
        ],
        "additionalProperties": false
      },
      "result": "action",
      "timeoutMs": 10000,
      "safety": {
        "readOnly": false,
        "destructive": false,
        "idempotent": true
      },
      "requires": [
        "vscode"
      ],
      "errors": [],
      "examples": [],
      "listed": true,
      "core": false,
      "parameterHints": {},
      "next": []
    },
    {
      "alias": "editor.show-testing-ui",
      "name": "editor_show_testing_ui",
      "aliases": [],
      "category": "editor",
      "summary": "Open the Testing view, which makes VS Code look for tests",
      "input": {
        "type": "object",
        "properties": {},
        "additionalProperties": false
      },
      "result": "action",
      "timeoutMs": 60000,
      "safety": {
        "readOnly": false,
        "destructive": false,
        "idempotent": true
      },
      "requires": [
        "vscode"
      ],
      "errors": [],
      "examples": [],
      "listed": true,
      "core": false,
      "parameterHints": {},
      "next": []
    },
    {
      "alias": "search.symbol-search",
      "name": "search_symbol_search",
      "aliases": [],
      "category": "symbol",
      "summary": "Find symbols by name in the workspace, or list those of a file",
      "input": {
        "type": "object",
        "properties": {
          "query": {
            "type": "string",
            "default": ""
          },
          "mode": {
            "type": "string",
            "enum": [
              "workspace",
              "document"
            ],
            "default": "workspace"
          },
          "path": {
            "type": "string",
            "minLength": 1
          },
          "kinds": {
            "type": "string",
            "description": "a comma list: function,class"
          },
          "limit": {
            "type": "integer",
            "minimum": 1,
            "maximum": 1000,
            "default": 100
          },
          "includeLocation": {
            "type": "boolean",
            "default": true
          },
          "includeContainer": {
            "type": "boolean",
            "default": true
          }
        },
        "additionalProperties": false
      },
      "result": "query",
      "timeoutMs": 10000,
      "safety": {
        "readOnly": true,
        "destructive": false,
        "idempotent": true
      },
      "requires": [
        "language-server"
      ],
      "errors": [],
      "examples": [],
      "listed": true,
      "core": false,
      "parameterHints": {},
      "next": []
    },
    {
      "alias": "symbol.calls",
      "name": "symbol_calls",
      "aliases": [],
      "category": "symbol",
      "summary": "Who calls a function, or whom it calls",
      "input": {
        "type": "object",
        "properties": {
          "nodeId": {
            "type": "string",
            "minLength": 1,
            "description": "type:path:qualified.name, in place of path and symbol"
          },
          "path": {
            "type": "string",
            "minLength": 1
          },
          "symbol": {
            "type": "string",
            "minLength": 1
          },
          "direction": {
            "type": "string",
            "enum": [
              "incoming",
              "outgoing"
            ],
            "default": "incoming"
          },
          "enrichWithFlowspaceIds": {
            "type": "boolean",
            "description": "add a nodeId to each",
            "default": false
          }
        },
        "additionalProperties": false
      },
      "result": "query",
      "timeoutMs": 30000,
      "safety": {
        "readOnly": true,
        "destructive": false,
        "idempotent": true
      },
      "requires": [
        "language-server"
      ],
      "errors": [],
      "examples": [],
      "listed": true,
      "core": false,
      "parameterHints": {},
      "next": []
    },
    {
      "alias": "symbol.navigate",
      "name": "symbol_navigate",
      "aliases": [],
      "category": "symbol",
      "summary": "References or implementations of a symbol",
      "input": {
        "type": "object",
        "properties": {
          "nodeId": {
            "type": "string",
            "minLength": 1,
            "description": "type:path:qualified.name, in place of path and symbol"
          },
          "path": {
            "type": "string",
            "minLength": 1
          },
          "symbol": {
            "type": "string",
            "minLength": 1
          },
          "action": {
            "type": "string",
            "enum": [
              "references",
              "implementations"
            ],
            "default": "references"
          },
          "includeDeclaration": {
            "type": "boolean"
          },
          "enrichWithFlowspaceIds": {
            "type": "boolean",
            "description": "add a nodeId to each",
            "default": false
          }
        },
        "additionalProperties": false
      },
      "result": "query",
      "timeoutMs": 15000,
      "safety": {
        "readOnly": true,
        "destructive": false,
        "idempotent": true
      },
      "requires": [
        "language-server"
      ],
      "errors": [],
      "examples": [],
      "listed": true,
      "core": false,
      "parameterHints": {},
      "next": []
    },
    {
      "alias": "symbol.rename",
      "name": "symbol_rename",
      "aliases": [],
      "category": "symbol",
      "summary": "Rename a symbol in the whole workspace",
      "input": {
        "type": "object",
        "properties": {
          "nodeId": {
            "type": "string",
            "minLength": 1,
            "description": "type:path:qualified.name, in place of path and symbol"
          },
          "path": {
            "type": "string",
            "minLength": 1
          },
          "symbol": {
            "type": "string",
            "minLength": 1
          },
          "newName": {
            "type": "string",
            "minLength": 1
          }
        },
        "required": [
          "newName"
        ],
        "additionalProperties": false
      },
      "result": "action",
      "timeoutMs": 15000,
      "safety": {
        "readOnly": false,
        "destructive": true,
        "idempotent": false
      },
      "requires": [
        "language-server"
      ],
      "errors": [],
      "examples": [],
      "listed": true,
      "core": false,
      "parameterHints": {},
      "next": []
    },
    {
      "alias": "test.debug-single",
      "name": "test_debug_single",
      "aliases": [],
      "category": "test",
      "summary": "Run the test at a line under the debugger, to the failing assertion or a breakpoint",
      "description": "Breakpoints that are set hold. A test that passes without a stop is told as passed. For pytest, node:test, vitest and go test.",
      "input": {
        "type": "object",
        "properties": {
          "path": {
            "type": "string",
            "minLength": 1
          },
          "line": {
            "type": "integer",
            "minimum": 1,
            "description": "any line of the test"
          },
          "column": {
            "type": "integer",
            "minimum": 1,
            "default": 1
          },
          "case": {
            "type": "string",
            "minLength": 1,
            "description": "parameters of one case of pytest, such as 10-80; default: all"
          },
          "breakpoints": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "path": {
                  "type": "string",
                  "minLength": 1
                },
                "line": {
                  "type": "integer",
                  "minimum": 1
                },
                "condition": {
                  "type": "string"
                },
                "hitCondition": {
                  "type": "string"
                },
                "logMessage": {
                  "type": "string"
                }
              },
              "required": [
                "path",
                "line"
              ],
              "additionalProperties": false
            },
            "maxItems": 100
          },
          "stopOnFailure": {
            "type": "boolean",
            "default": true
          },
          "timeoutMs": {
            "type": "integer",
            "minimum": 100,
            "maximum": 300000,
            "default": 30000
          }
        },
        "required": [
          "path",
          "line"
        ],
        "additionalProperties": false
      },
      "result": "waitable",
      "data": {
        "type": "object",
        "properties": {
          "outcome": {
            "type": "string",
            "enum": [
              "stopped",
              "running",
              "passed",
              "failed",
              "skipped"
            ]
          },
          "test": {
            "type": "object",
            "properties": {
              "name": {
                "type": "string"
              },
              "framework": {
                "type": "string"
              },
              "line": {
                "type": "integer"
              }
            },
            "required": [
              "name",
              "framework",
              "line"
            ]
          },
          "snapshot": {
            "$ref": "#/$defs/Snapshot"
          }
        },
        "required": [
          "outcome",
          "test",
          "snapshot"
        ]
      },
      "timeoutMs": 90000,
      "safety": {
        "readOnly": false,
        "destructive": false,
        "idempotent": false
      },
      "requires": [
        "workspace"
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
      "listed": true,
      "core": true,
      "whenToUse": "Use it first for a failing test",
      "parameterHints": {},
      "next": [
        "debug_evaluate",
        "debug_stack",
        "debug_trace_function"
      ]
    },
    {
      "alias": "test.list",
      "name": "test_list",
      "aliases": [],
      "category": "test",
      "summary": "List the tests of a file with their lines, without running anything",
      "input": {
        "type": "object",
        "properties": {
          "path": {
            "type": "string",
            "minLength": 1
          }
        },
        "required": [
          "path"
        ],
        "additionalProperties": false
      },
      "result": "query",
      "data": {
        "type": "object",
        "properties": {
          "framework": {
            "type": "string"
          },
          "path": {
            "type": "string"
          },
          "tests": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "name": {
                  "type": "string"
                },
                "line": {
                  "type": "integer"
                },
                "endLine": {
                  "type": "integer"
                },
                "suite": {
                  "type": "boolean"
                },
                "parametrised": {
                  "type": "boolean"
                }
              },
              "required": [
                "name",
                "line",
                "endLine"
              ]
            }
          }
        },
        "required": [
          "framework",
          "path",
          "tests"
        ]
      },
      "timeoutMs": 10000,
      "safety": {
        "readOnly": true,
        "destructive": false,
        "idempotent": true
      },
      "requires": [
        "workspace"
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
      "listed": true,
      "core": true,
      "parameterHints": {},
      "next": [
        "test_debug_single"
      ]
    },
    {
      "alias": "util.restart-vscode",
      "name": "util_restart_vscode",
      "aliases": [],
      "category": "editor",
      "summary": "Reload the VS Code window",
      "input": {
        "type": "object",
        "properties": {},
        "additionalProperties": false
      },
      "result": "action",
      "timeoutMs": 15000,
      "safety": {
        "readOnly": false,
        "destructive": true,
        "idempotent": false
      },
      "requires": [
        "vscode"
      ],
      "errors": [],
      "examples": [],
      "listed": true,
      "core": false,
      "parameterHints": {},
      "next": []
    },
    {
      "alias": "variable.get",
      "name": "variable_get",
      "aliases": [
        "debug_get_variable"
      ],
      "category": "variable",
      "summary": "Page through what is inside a variable, or through a long text",
      "input": {
        "type": "object",
        "properties": {
          "variablesReference": {
            "type": "integer",
            "minimum": 1,
            "description": "a ref that was shown"
          },
          "expression": {
            "type": "string",
            "minLength": 1,
            "description": "in place of a reference"
          },
          "start": {
            "type": "integer",
            "minimum": 0,
            "default": 0
          },
          "count": {
            "type": "integer",
            "minimum": 1,
            "maximum": 1000,
            "default": 100
          },
          "filter": {
            "type": "string",
            "enum": [
              "indexed",
              "named",
              "all"
            ],
            "default": "all"
          },
          "sessionId": {
            "type": "string",
            "description": "default: the current session"
          }
        },
        "additionalProperties": false
      },
      "result": "query",
      "data": {
        "type": "object",
        "properties": {
          "children": {
            "type": "array",
            "items": {
              "$ref": "#/$defs/ShownVariable"
            }
          },
          "text": {
            "type": "string",
            "description": "a piece of a text",
            "which has no children": null
          },
          "pagination": {
            "type": "object",
            "properties": {
              "start": {
                "type": "integer"
              },
              "count": {
                "type": "integer"
              },
              "shown": {
                "type": "integer"
              },
              "hasMore": {
                "type": "boolean"
              }
            },
            "required": [
              "start",
              "count",
              "shown",
              "hasMore"
            ]
          }
        },
        "required": [
          "children",
          "pagination"
        ]
      },
      "timeoutMs": 15000,
      "safety": {
        "readOnly": true,
        "destructive": false,
        "idempotent": true
      },
      "requires": [
        "session",
        "paused"
      ],
      "errors": [
        {
          "code": "E_EVALUATE_FAILED",
          "retryable": false,
          "hint": "Correct the expression; variable_list shows what is there."
        }
      ],
      "examples": [],
      "listed": true,
      "core": true,
      "parameterHints": {},
      "next": []
    },
    {
      "alias": "variable.list",
      "name": "variable_list",
      "aliases": [
        "debug_list_variables"
      ],
      "category": "variable",
      "summary": "The variables of a frame, with what is inside them",
      "input": {
        "type": "object",
        "properties": {
          "scope": {
            "type": "string",
            "enum": [
              "local",
              "closure",
              "global",
              "all"
            ],
            "description": "local: blocks, function and arguments as one",
            "default": "local"
          },
          "maxDepth": {
            "type": "integer",
            "minimum": 0,
            "maximum": 10,
            "description": "how deep to look inside",
            "default": 1
          },
          "frameId": {
            "type": "integer",
            "description": "of debug_stack; default: the frame shown last"
          },
          "sessionId": {
            "type": "string",
            "description": "default: the current session"
          }
        },
        "additionalProperties": false
      },
      "result": "query",
      "data": {
        "type": "object",
        "properties": {
          "frameId": {
            "type": "integer"
          },
          "variables": {
            "type": "array",
            "items": {
              "$ref": "#/$defs/ShownNode"
            }
          },
          "truncated": {
            "type": "boolean"
          }
        },
        "required": [
          "frameId",
          "variables",
          "truncated"
        ]
      },
      "timeoutMs": 15000,
      "safety": {
        "readOnly": true,
        "destructive": false,
        "idempotent": true
      },
      "requires": [
        "session",
        "paused"
      ],
      "errors": [],
      "examples": [],
      "listed": true,
      "core": true,
      "parameterHints": {},
      "next": [
        "variable_get",
        "variable_set"
      ]
    },
    {
      "alias": "variable.save",
      "name": "variable_save",
      "aliases": [
        "debug_save_variable"
      ],
      "category": "variable",
      "summary": "Write a large variable into a file of the workspace, as JSON lines",
      "input": {
        "type": "object",
        "properties": {
          "outputPath": {
            "type": "string",
            "minLength": 1,
            "description": "in the workspace"
          },
          "expression": {
            "type": "string",
            "minLength": 1
          },
          "pageSize": {
            "type": "integer",
            "minimum": 1,
            "maximum": 5000,
            "default": 500
          },
          "maxItems": {
            "type": "integer",
            "minimum": 1,
            "description": "default: all, up to 1000000"
          },
          "context": {
            "type": "string",
            "enum": [
              "watch",
              "repl",
              "hover"
            ],
            "default": "watch"
          },
          "overwrite": {
            "type": "boolean",
            "default": false
          },
          "sessionId": {
            "type": "string",
            "description": "default: the current session"
          }
        },
        "required": [
          "outputPath",
          "expression"
        ],
        "additionalProperties": false
      },
      "result": "action",
      "data": {
        "type": "object",
        "properties": {
          "outputPath": {
            "type": "string"
          },
          "bytes": {
            "type": "integer"
          },
          "counts": {
            "type": "object",
            "properties": {
              "named": {
                "type": "integer"
              },
              "indexed": {
                "type": "integer"
              }
            },
            "required": [
              "named",
              "indexed"
            ]
          },
          "truncatedByLimit": {
            "type": "boolean"
          }
        },
        "required": [
          "outputPath",
          "bytes",
          "counts",
          "truncatedByLimit"
        ]
      },
      "timeoutMs": 120000,
      "safety": {
        "readOnly": false,
        "destructive": false,
        "idempotent": false
      },
      "requires": [
        "workspace",
        "session",
        "paused"
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
      "listed": true,
      "core": false,
      "parameterHints": {},
      "next": []
    },
    {
      "alias": "variable.set",
      "name": "variable_set",
      "aliases": [
        "debug_set_variable"
      ],
      "category": "variable",
      "summary": "Give a variable another value, to see what would happen",
      "input": {
        "type": "object",
        "properties": {
          "name": {
            "type": "string",
            "minLength": 1
          },
          "value": {
            "type": "string",
            "minLength": 1,
            "description": "as the language writes it: 42, \"text\""
          },
          "variablesReference": {
            "type": "integer",
            "minimum": 1,
            "description": "of the object or scope it stands in; default: the locals"
          },
          "frameId": {
            "type": "integer",
            "description": "default: the frame shown last"
          },
          "sessionId": {
            "type": "string",
            "description": "default: the current session"
          }
        },
        "required": [
          "name",
          "value"
        ],
        "additionalProperties": false
      },
      "result": "action",
      "data": {
        "$ref": "#/$defs/ShownVariable"
      },
      "timeoutMs": 10000,
      "safety": {
        "readOnly": false,
        "destructive": false,
        "idempotent": true
      },
      "requires": [
        "session",
        "paused"
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
      "listed": true,
      "core": true,
      "parameterHints": {},
      "next": []
    }
  ],
  "guides": [
    {
      "id": "bisect-an-exception",
      "title": "Bisect an exception",
      "summary": "From the place where an exception shows to the place where it began.",
      "tags": [
        "exception"
      ],
      "text": "1. `debug_start` with `exceptions: uncaught`. It stops where the exception is thrown, with the frames and locals of that moment;\n   the printed traceback has no values.\n2. Is the exception caught somewhere and thrown anew, or swallowed? Use `exceptions: all`, and `debug_continue` over those that do\n   not matter. `dap_exceptions` lists all so far with the output before each.\n3. The message names a bad value. Go up the frames (`debug_stack`, then `debug_evaluate` with `frameId`) to the first frame where\n   the value was already bad, and the last where it was good. The fault is between them.\n4. In that function: `debug_trace_function`, or a breakpoint with a condition at its head.\n5. It happens only at the thousandth call: a breakpoint with `hitCondition` (`>= 1000`), or a condition on the input.\n\nTwo runs, one good and one bad: keep both sessions and ask `dap_compare` with `compareBy: outputs` for the first difference.\n"
    },
    {
      "id": "debug-a-child-process",
      "title": "Debug a child process",
      "summary": "The code that matters runs in a process or worker that the program starts.",
      "tags": [
        "children",
        "sessions"
      ],
      "text": "1. Set the breakpoint in the child's code as in any other file, and start the parent with `debug_start`. For Node and Python the\n   children are followed: each is a session of its own, with the same breakpoints.\n2. The stop says which session it is in. `debug_status` lists all; give `sessionId` to look at another than the current one.\n3. `debug_continue` lets the session go on that stopped; the others were running all the time.\n4. A child that is not followed (another language, a detached process): start it with its debug port open and use `debug_start`\n   with `attach`.\n5. What each printed is kept apart: `dap_logs` with `sessionId`, or `dap_search` over all of them.\n\nThe test runner of Node runs tests in child processes: `test_debug_single` knows that.\n"
    },
    {
      "id": "debug-a-failing-test",
      "title": "Debug a failing test",
      "summary": "Stop a single test at the failing assertion, look at the values, try a fix without editing.",
      "tags": [
        "test",
        "exception"
      ],
      "text": "1. Find the test. `test_list` with the file gives every test with its line.\n2. Run that one test under the debugger: `test_debug_single` with `path` and `line`. Any line inside the test will do. With no\n   breakpoint it stops where the assertion fails, and the answer has the place, the frames and the locals.\n3. Read the locals before you read code. Which value is wrong, and where did it come from? Look at a caller with `debug_stack`,\n   at a value with `debug_evaluate`.\n4. The wrong value came out of a function: `debug_trace_function` with that function shows every line of one call and what each\n   changed. That is one call, in place of twenty steps.\n5. Test your idea before you edit: stop before the line, `variable_set` the value you think is right, `debug_continue`. When the\n   test passes now, you have found the place.\n6. Edit, then run the test again without the debugger.\n\nWhen it does not stop: the test may pass (the answer says so), or run in a process of its own that is not followed. A test that\nfails only together with others is not reproduced by a single run: say so, and debug the whole file with `debug_start`.\n"
    },
    {
      "id": "debug-a-hang",
      "title": "Debug a program that hangs",
      "summary": "Endless loop, dead lock, or waiting for something that never comes - find out which.",
      "tags": [
        "hang",
        "threads"
      ],
      "text": "1. Start it with `debug_start` and a short `timeoutMs`, or attach to the one that hangs (`attach` with its port or pid). The\n   answer says \"still running\"; that is no failure.\n2. `debug_pause`. Where it stops is where it spends its time. Continue and pause three times: always the same loop means an\n   endless loop; always the same wait means that something does not come.\n3. `debug_threads`, then `debug_stack` with each `threadId`. Two threads that each wait for a lock the other holds are a dead lock.\n4. An endless loop: look at what its condition reads, step once or twice around (`debug_step_over`), and see what does not change.\n5. Waiting: who should have sent it? Put a breakpoint there and start again; `dap_timeline` shows what did happen, in order.\n6. It does not pause: the program is inside a native call or a system call. The answer says so; look at it from outside.\n\nEnd it with `debug_stop`: it ends also programs that ignore polite signals.\n"
    },
    {
      "id": "find-who-changes-a-variable",
      "title": "Find who changes a variable",
      "summary": "A value is wrong and nobody knows since when. Watch it over a whole run in one call.",
      "tags": [
        "variables",
        "probe"
      ],
      "text": "1. List the lines that may write it: search the code for assignments, and for calls that get the object.\n2. One call shows its value at all of them over the whole run: `debug_probe` with `program` (or `test`) and `points`, each a `path`, a `line`\n   and `expressions`. The program is not stopped, so timing stays nearly as it was.\n3. The first row with the wrong value tells between which two points it changed. Put more points between them and probe again;\n   two or three rounds are enough for most programs.\n4. Stop exactly there: `breakpoint_add` with a condition that is true only for the wrong value (`total < 0`), then `debug_start`.\n5. The snapshot marks what changed since the last stop. `debug_stack` says who called.\n\nToo many rows: give the points a `condition`, or a smaller `maxHits`. A value that changes between two calls of one function:\n`debug_trace_function`.\n"
    }
  ],
  "commonErrors": [
    {
      "code": "E_UNSUPPORTED_CAPABILITY",
      "retryable": false,
      "hint": "The debugger of this language cannot do it; do without it."
    },
    {
      "code": "E_STALE_REFERENCE",
      "retryable": false,
      "hint": "References and frame ids hold until the program goes on: read them anew with debug_stack or variable_list."
    },
    {
      "code": "E_NO_STACK",
      "retryable": true,
      "hint": "debug_status shows what stands."
    },
    {
      "code": "E_BREAKPOINT_INVALID",
      "retryable": false,
      "hint": "Correct the condition or the message of the breakpoint."
    },
    {
      "code": "E_INVALID_PROGRAM",
      "retryable": false,
      "hint": "For C, C++ and Rust give the compiled program."
    },
    {
      "code": "E_ADAPTER_MISSING",
      "retryable": false,
      "hint": "Install it, then call again."
    },
    {
      "code": "E_OPERATION_FAILED",
      "retryable": true,
      "hint": "The message has what the debugger said."
    }
  ],
  "definitions": {
    "Snapshot": {
      "description": "What every tool that lets a program run answers with",
      "anyOf": [
        {
          "$ref": "#/$defs/StoppedSnapshot"
        },
        {
          "$ref": "#/$defs/EndedSnapshot"
        },
        {
          "$ref": "#/$defs/RunningSnapshot"
        }
      ]
    },
    "StoppedSnapshot": {
      "type": "object",
      "properties": {
        "event": {
          "const": "stopped"
        },
        "sessionId": {
          "type": "string"
        },
        "threadId": {
          "type": "integer"
        },
        "reason": {
          "type": "string",
          "description": "breakpoint, step, exception, pause, entry …"
        },
        "text": {
          "type": "string"
        },
        "breakpoints": {
          "type": "array",
          "items": {
            "type": "string"
          },
          "description": "ids of those that were hit"
        },
        "path": {
          "type": "string"
        },
        "line": {
          "type": "integer"
        },
        "column": {
          "type": "integer"
        },
        "function": {
          "type": "string"
        },
        "frameId": {
          "type": "integer"
        },
        "source": {
          "type": "array",
          "items": {
            "$ref": "#/$defs/SourceLine"
          }
        },
        "frames": {
          "type": "array",
          "items": {
            "$ref": "#/$defs/ShownFrame"
          },
          "description": "of the person's code, the innermost first; without the one that is shown"
        },
        "locals": {
          "type": "array",
          "items": {
            "$ref": "#/$defs/ShownLocal"
          }
        },
        "moreLocals": {
          "type": "boolean"
        },
        "exception": {
          "type": "object",
          "properties": {
            "type": {
              "type": "string"
            },
            "message": {
              "type": "string"
            }
          },
          "required": [
            "type",
            "message"
          ]
        },
        "unbound": {
          "type": "array",
          "items": {
            "type": "string"
          },
          "description": "at a stop that no breakpoint made"
        },
        "output": {
          "type": "string",
          "description": "what was printed since the last answer"
        },
        "droppedOutput": {
          "type": "integer",
          "description": "characters of it that are not shown"
        },
        "notes": {
          "type": "array",
          "items": {
            "type": "string"
          },
          "description": "what one would be misled without: a condition that fails, a file that was changed since"
        },
        "problems": {
          "type": "array",
          "items": {
            "type": "string"
          },
          "description": "what could not be read, and why"
        },
        "next": {
          "type": "array",
          "items": {
            "type": "string"
          },
          "description": "tools that usually follow"
        }
      },
      "required": [
        "event",
        "sessionId",
        "threadId",
        "reason",
        "source",
        "frames",
        "locals",
        "next"
      ]
    },
    "EndedSnapshot": {
      "type": "object",
      "properties": {
        "event": {
          "const": "terminated"
        },
        "sessionId": {
          "type": "string"
        },
        "exitCode": {
          "type": [
            "integer",
            "null"
          ]
        },
        "signal": {
          "type": "string"
        },
        "error": {
          "type": "string"
        },
        "unbound": {
          "type": "array",
          "items": {
            "type": "string"
          },
          "description": "breakpoints that were never bound, and why: often the reason that it ended without a stop"
        },
        "notHit": {
          "type": "array",
          "items": {
            "type": "string"
          },
          "description": "when nothing has stopped it: those that were bound; their lines were not reached, or their files not loaded"
        },
        "output": {
          "type": "string"
        },
        "droppedOutput": {
          "type": "integer"
        },
        "next": {
          "type": "array",
          "items": {
            "type": "string"
          }
        }
      },
      "required": [
        "event",
        "sessionId",
        "next"
      ]
    },
    "RunningSnapshot": {
      "type": "object",
      "properties": {
        "event": {
          "const": "running"
        },
        "sessionId": {
          "type": "string"
        },
        "waitedMs": {
          "type": "number"
        },
        "unbound": {
          "type": "array",
          "items": {
            "type": "string"
          }
        },
        "output": {
          "type": "string"
        },
        "droppedOutput": {
          "type": "integer"
        },
        "next": {
          "type": "array",
          "items": {
            "type": "string"
          }
        }
      },
      "required": [
        "event",
        "waitedMs",
        "next"
      ]
    },
    "SourceLine": {
      "type": "object",
      "properties": {
        "line": {
          "type": "integer"
        },
        "text": {
          "type": "string"
        }
      },
      "required": [
        "line",
        "text"
      ]
    },
    "ShownFrame": {
      "type": "object",
      "properties": {
        "frameId": {
          "type": "integer"
        },
        "name": {
          "type": "string"
        },
        "path": {
          "type": "string"
        },
        "line": {
          "type": "integer"
        }
      },
      "required": [
        "frameId",
        "name"
      ]
    },
    "ShownLocal": {
      "type": "object",
      "properties": {
        "name": {
          "type": "string"
        },
        "value": {
          "type": "string",
          "description": "short; ends with …(+n) when n characters were left out"
        },
        "type": {
          "type": "string"
        },
        "ref": {
          "type": "integer",
          "description": "for variable_get; good until the program goes on"
        },
        "change": {
          "type": "string",
          "enum": [
            "new",
            "changed"
          ],
          "description": "since this frame was last shown"
        },
        "from": {
          "type": "string",
          "description": "the value before"
        }
      },
      "required": [
        "name",
        "value"
      ]
    },
    "ShownBreakpoint": {
      "type": "object",
      "properties": {
        "id": {
          "type": "string"
        },
        "path": {
          "type": "string"
        },
        "line": {
          "type": "integer"
        },
        "condition": {
          "type": "string"
        },
        "hitCondition": {
          "type": "string"
        },
        "logMessage": {
          "type": "string"
        },
        "state": {
          "type": "string",
          "enum": [
            "bound",
            "unbound",
            "pending"
          ],
          "description": "pending: there is no session yet; unbound: message says why, and it may still be bound when its code is loaded"
        },
        "movedTo": {
          "type": "integer",
          "description": "the line where it really is"
        },
        "message": {
          "type": "string"
        }
      },
      "required": [
        "id",
        "path",
        "line",
        "state"
      ]
    },
    "ShownVariable": {
      "type": "object",
      "properties": {
        "name": {
          "type": "string"
        },
        "value": {
          "type": "string"
        },
        "type": {
          "type": "string"
        },
        "ref": {
          "type": "integer",
          "description": "for variable_get; good until the program goes on"
        },
        "named": {
          "type": "integer",
          "description": "how many members it has"
        },
        "indexed": {
          "type": "integer",
          "description": "how many items it has"
        }
      },
      "required": [
        "name",
        "value"
      ]
    },
    "ShownNode": {
      "type": "object",
      "properties": {
        "name": {
          "type": "string"
        },
        "value": {
          "type": "string"
        },
        "type": {
          "type": "string"
        },
        "ref": {
          "type": "integer"
        },
        "named": {
          "type": "integer"
        },
        "indexed": {
          "type": "integer"
        },
        "children": {
          "type": "array",
          "items": {
            "$ref": "#/$defs/ShownNode"
          }
        }
      },
      "required": [
        "name",
        "value"
      ]
    }
  }
}

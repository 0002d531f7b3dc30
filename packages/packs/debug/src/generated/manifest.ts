// Generated from the *.meta.yaml files and guides of this pack. Do not edit: npm run generate.
import type { PackManifest } from '@switchboard/toolkit'

export const manifest: PackManifest = {
  "pack": "debug",
  "tools": [
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
        },
        {
          "code": "E_INVALID_GROUP_BY",
          "retryable": false,
          "hint": "Use category, source, hour or session."
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
      "parameterHints": {},
      "next": [
        "dap_exceptions",
        "dap_logs"
      ]
    },
    {
      "alias": "dap.timeline",
      "name": "dap_timeline",
      "aliases": [],
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
      "parameterHints": {},
      "next": [
        "docs_get"
      ]
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
      "text": "1. List the lines that may write it: search the code for assignments, and for calls that get the object.\n2. One call shows its value at all of them over the whole run: `debug_probe` with `program` and `points`, each a `path`, a `line`\n   and `expressions`. The program is not stopped, so timing stays nearly as it was.\n3. The first row with the wrong value tells between which two points it changed. Put more points between them and probe again;\n   two or three rounds are enough for most programs.\n4. Stop exactly there: `breakpoint_add` with a condition that is true only for the wrong value (`total < 0`), then `debug_start`.\n5. The snapshot marks what changed since the last stop. `debug_stack` says who called.\n\nToo many rows: give the points a `condition`, or a smaller `maxHits`. A value that changes between two calls of one function:\n`debug_trace_function`.\n"
    }
  ]
}

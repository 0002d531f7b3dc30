/** Errors as programs print them: each twice, from two machines, runs or versions, and what of them is compared. */
export interface ErrorPair {
  readonly language: string
  readonly type: string
  readonly one: string
  readonly other: string
}

export const PAIRS: readonly ErrorPair[] = [
  {
    language: 'Node',
    type: 'typeerror',
    one: `/home/ada/shop/src/cart.js:14
  return items.map((item) => item.price)
               ^

TypeError: Cannot read properties of undefined (reading 'map')
    at total (/home/ada/shop/src/cart.js:14:16)
    at checkout (/home/ada/shop/src/checkout.js:8:10)
    at Object.<anonymous> (/home/ada/shop/src/index.js:3:1)
    at Module._compile (node:internal/modules/cjs/loader:1554:14)

Node.js v22.14.0`,
    other: `C:\\jobs\\shop\\src\\cart.js:22
    return items.map(priceOf)
                 ^

TypeError: Cannot read properties of undefined (reading 'map')
    at total (C:\\jobs\\shop\\src\\cart.js:22:18)
    at checkout (C:\\jobs\\shop\\src\\checkout.js:31:10)
    at async file:///C:/jobs/shop/src/index.js:5:3

Node.js v24.1.0`,
  },
  {
    language: 'Node with a system error',
    type: 'eaddrinuse',
    one: `node:events:497
      throw er; // Unhandled 'error' event
      ^

Error: listen EADDRINUSE: address already in use :::3000
    at Server.setupListenHandle [as _listen2] (node:net:1908:16)
    at Server.listen (node:net:2061:7)
Emitted 'error' event on Server instance at:
    at emitErrorNT (node:net:1887:8) {
  code: 'EADDRINUSE',
  errno: -98,
  syscall: 'listen',
  address: '::',
  port: 3000
}`,
    other:
      'Error: listen EADDRINUSE: address already in use :::3000\n    at Server.setupListenHandle [as _listen2] (node:net:1817:16)',
  },
  {
    language: 'Python',
    type: 'valueerror',
    one: `Traceback (most recent call last):
  File "/home/ada/report/main.py", line 42, in <module>
    run(sys.argv[1])
  File "/home/ada/report/parse.py", line 7, in run
    return int(text)
           ^^^^^^^^^
ValueError: invalid literal for int() with base 10: 'n/a'`,
    other: `Traceback (most recent call last):
  File "C:\\Users\\bob\\report\\main.py", line 51, in <module>
    run(arguments.file)
  File "C:\\Users\\bob\\report\\parse.py", line 19, in run
    return int(text)
ValueError: invalid literal for int() with base 10: 'n/a'`,
  },
  {
    language: 'Python, chained',
    type: 'runtimeerror',
    one: `Traceback (most recent call last):
  File "/srv/a/db.py", line 10, in connect
    return open_socket(host)
  File "/srv/a/db.py", line 4, in open_socket
    raise KeyError(host)
KeyError: 'primary'

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/srv/a/app.py", line 3, in <module>
    connect('primary')
  File "/srv/a/db.py", line 12, in connect
    raise RuntimeError('no route to the primary database')
RuntimeError: no route to the primary database`,
    other: `2026-11-18 08:03:12,123 ERROR [4711] worker: failed
Traceback (most recent call last):
  File "/opt/b/app.py", line 33, in <module>
    connect('primary')
  File "/opt/b/db.py", line 99, in connect
    raise RuntimeError('no route to the primary database')
RuntimeError: no route to the primary database`,
  },
  {
    language: 'Java',
    type: 'nullpointerexception',
    one: `Exception in thread "main" java.lang.NullPointerException: Cannot invoke "String.length()" because "<local1>" is null
	at org.acme.App.measure(App.java:12)
	at org.acme.App.main(App.java:5)`,
    other: `Exception in thread "worker-7" java.lang.NullPointerException: Cannot invoke "String.length()" because "<local1>" is null
	at org.acme.App.measure(App.java:48)
	at org.acme.Pool.run(Pool.java:101)
	at java.base/java.lang.Thread.run(Thread.java:1583)`,
  },
  {
    language: 'C#',
    type: 'nullreferenceexception',
    one: `Unhandled exception. System.NullReferenceException: Object reference not set to an instance of an object.
   at Acme.Cart.Total(Order order) in /home/ada/acme/Cart.cs:line 18
   at Acme.Program.Main(String[] args) in /home/ada/acme/Program.cs:line 7`,
    other: `Unhandled exception. System.NullReferenceException: Object reference not set to an instance of an object.
   at Acme.Cart.Total(Order order) in D:\\b\\1\\s\\Cart.cs:line 25
   at Acme.Program.Main(String[] args) in D:\\b\\1\\s\\Program.cs:line 9`,
  },
  {
    language: 'Go',
    type: 'panic: runtime error',
    one: `panic: runtime error: index out of range [5] with length 3

goroutine 1 [running]:
main.pick(0xc000012345, 0x3, 0x3)
	/home/ada/go/src/app/main.go:9 +0x1d
main.main()
	/home/ada/go/src/app/main.go:14 +0x45
exit status 2`,
    other: `panic: runtime error: index out of range [5] with length 3

goroutine 34 [running]:
main.pick(0xc0000a8f00, 0x3, 0x3)
	/build/app/main.go:23 +0x2f
main.main()
	/build/app/main.go:30 +0x99
exit status 2`,
  },
  {
    language: 'Rust, a panic',
    type: 'panicked',
    one: `thread 'main' panicked at src/config.rs:14:39:
called \`Result::unwrap()\` on an \`Err\` value: ParseIntError { kind: InvalidDigit }
stack backtrace:
   0: rust_begin_unwind
   1: core::panicking::panic_fmt
   2: app::config::load
             at ./src/config.rs:14:39
note: run with \`RUST_BACKTRACE=1\` environment variable to display a backtrace`,
    other: `thread 'tokio-runtime-worker' (4711) panicked at /build/src/config.rs:71:12:
called \`Result::unwrap()\` on an \`Err\` value: ParseIntError { kind: InvalidDigit }
note: run with \`RUST_BACKTRACE=1\` environment variable to display a backtrace`,
  },
  {
    language: 'Rust, a compiler',
    type: 'e0382',
    one: `error[E0382]: borrow of moved value: \`names\`
  --> src/main.rs:6:20
   |
4  |     let names = vec![1];`,
    other: `error[E0382]: borrow of moved value: \`names\`
  --> crates/app/src/lib.rs:61:9
   |
58 |     let names = vec![1];`,
  },
  {
    language: 'TypeScript',
    type: 'ts2345',
    one: `src/app.ts(12,5): error TS2345: Argument of type 'string' is not assignable to parameter of type 'Money'.`,
    other: `/ci/build/42/src/app.ts:88:17 - error TS2345: Argument of type 'string' is not assignable to parameter of type 'Money'.`,
  },
  {
    language: 'Ruby',
    type: 'nomethoderror',
    one: `/home/ada/app/cart.rb:7:in 'total': undefined method 'price' for nil (NoMethodError)
	from /home/ada/app/cart.rb:12:in 'checkout'
	from /home/ada/app/main.rb:3:in '<main>'`,
    other: `/srv/www/releases/20261118080312/cart.rb:19:in 'total': undefined method 'price' for nil (NoMethodError)
	from /srv/www/releases/20261118080312/cart.rb:24:in 'checkout'`,
  },
  {
    language: 'PHP',
    type: 'typeerror',
    one: `PHP Fatal error:  Uncaught TypeError: strlen(): Argument #1 ($string) must be of type string, null given in /var/www/a/index.php:4
Stack trace:
#0 /var/www/a/index.php(4): strlen(NULL)
#1 {main}`,
    other: `PHP Fatal error:  Uncaught TypeError: strlen(): Argument #1 ($string) must be of type string, null given in /home/someone/site/index.php:19
Stack trace:
#0 /home/someone/site/index.php(19): strlen(NULL)
#1 {main}`,
  },
  {
    language: 'C++',
    type: 'out_of_range',
    one: `terminate called after throwing an instance of 'std::out_of_range'
  what():  vector::_M_range_check: __n (which is 5) >= this->size() (which is 3)
Aborted (core dumped)`,
    other: `terminate called after throwing an instance of 'std::out_of_range'
  what():  vector::_M_range_check: __n (which is 5) >= this->size() (which is 3)
/tmp/run.sh: line 3: 12345 Aborted (core dumped) ./app`,
  },
  {
    language: 'Elixir',
    type: 'keyerror',
    one: `** (KeyError) key :name not found in: %{title: "a"}
    (app 0.1.0) lib/app/user.ex:12: App.User.name/1
    (app 0.1.0) lib/app.ex:4: App.run/0`,
    other: `** (KeyError) key :name not found in: %{title: "a"}
    (app 0.2.0) lib/app/user.ex:31: App.User.name/1`,
  },
  {
    language: 'npm',
    type: 'eresolve',
    one: `npm error code ERESOLVE
npm error ERESOLVE unable to resolve dependency tree
npm error Found: react@19.0.0
npm error A complete log of this run can be found in: /home/ada/.npm/_logs/2026-11-18T08_03_12_123Z-debug-0.log`,
    other: `npm error code ERESOLVE
npm error ERESOLVE unable to resolve dependency tree
npm error Found: react@19.0.0
npm error A complete log of this run can be found in: /home/me/.npm/_logs/2026-11-19T10_11_12_456Z-debug-0.log`,
  },
  {
    language: 'PostgreSQL',
    type: '42p01',
    one: `2026-11-18 08:03:12.123 UTC [4711] ERROR: relation "orders" does not exist (SQLSTATE 42P01) at character 15`,
    other: `2026-11-19 23:59:59.001 UTC [99] ERROR: relation "orders" does not exist (SQLSTATE 42P01) at character 32`,
  },
  {
    language: 'a request that has an id',
    type: 'connectionerror',
    one: `ConnectionError: upstream payments closed the stream, request 123e4567-e89b-12d3-a456-426614174000 after 3012 ms, buffer 0x7ffd1234abcd`,
    other: `ConnectionError: upstream payments closed the stream, request 9b2d1c4e-1111-4222-8333-abcdefabcdef after 17 ms, buffer 0x55d0c0ffee00`,
  },
  {
    language: 'a shell',
    type: 'command not found',
    one: '/home/ada/bin/deploy.sh: line 12: kubectl: command not found',
    other: '/usr/local/ci/deploy.sh: line 240: kubectl: command not found',
  },
  {
    language: 'Node, with a cause',
    type: 'eai_again',
    one: `TypeError: fetch failed
    at node:internal/deps/undici/undici:14976:13
    at async load (file:///home/ada/shop/prices.mjs:3:5) {
  [cause]: Error: getaddrinfo EAI_AGAIN prices.shop.example
      at GetAddrInfoReqWrap.onlookupall [as oncomplete] (node:dns:122:26) {
    errno: -3001,
    code: 'EAI_AGAIN'
  }
}`,
    other: `TypeError: fetch failed
    at async load (file:///C:/shop/prices.mjs:19:11) {
  [cause]: Error: getaddrinfo EAI_AGAIN prices.shop.example
      at GetAddrInfoReqWrap.onlookupall [as oncomplete] (node:dns:120:26) {`,
  },
  {
    language: 'npm, before and after its version 10',
    type: 'e404',
    one: "npm ERR! code E404\nnpm ERR! 404 Not Found - GET https://registry.example/left-padd - Not found\nnpm ERR! 404  'left-padd@*' is not in this registry.",
    other:
      "npm error code E404\nnpm error 404 Not Found - GET https://registry.example/left-padd - Not found\nnpm error 404  'left-padd@*' is not in this registry.",
  },
  {
    language: 'a log with the time in brackets, and in other quotes',
    type: 'billingerror',
    one: '[2026-11-19 05:00:12] BillingError: relation ‘invoices’ is unknown to billing',
    other: "2026-12-01T10:11:12.123Z BillingError: relation 'invoices' is unknown to billing",
  },
]

/** Alike, and another error: what helps against one does not help against the other. */
export const NEAR_MISSES: readonly (readonly [one: string, other: string])[] = [
  ["ModuleNotFoundError: No module named 'yaml'", "ModuleNotFoundError: No module named 'numpy'"],
  [
    "TypeError: Cannot read properties of undefined (reading 'map')",
    "TypeError: Cannot read properties of undefined (reading 'length')",
  ],
  [
    "Error: ENOENT: no such file or directory, open '/a/b/settings.json'",
    "Error: EACCES: permission denied, open '/a/b/settings.json'",
  ],
  ['Error: listen EADDRINUSE: address already in use :::3000', 'Error: connect ECONNREFUSED 127.0.0.1:3000'],
  ['error[E0382]: borrow of moved value: `names`', 'error[E0502]: cannot borrow `total` as mutable'],
  [
    "src/app.ts(12,5): error TS2345: Argument of type 'string' is not assignable to parameter of type 'Money'.",
    "src/app.ts(12,5): error TS2345: Argument of type 'Date' is not assignable to parameter of type 'Instant'.",
  ],
  ['ERROR: relation "orders" does not exist', 'ERROR: column "price" does not exist'],
  ['deploy.sh: line 12: kubectl: command not found', 'deploy.sh: line 12: helm: command not found'],
  ['Process exited with exit code 137', 'Process exited with exit code 1'],
  ['Error: failed', 'Error: timeout'],
  [
    'TypeError: fetch failed\n    at async load (file:///a/b.mjs:3:5) {\n  [cause]: Error: connect ECONNREFUSED 127.0.0.1:3000',
    'TypeError: fetch failed\n    at async load (file:///a/c.mjs:9:5) {\n  [cause]: Error: getaddrinfo ENOTFOUND prices.example',
  ],
  ['ValueError: could not convert string to float', 'KeyError: could not find user in session'],
]

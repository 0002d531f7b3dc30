import { type Pattern, step, stepBy } from '../pattern.ts'

export const JAVA: readonly Pattern[] = [
  {
    id: 'java-class-version',
    title: 'A class was compiled for a newer Java',
    signs: [
      /UnsupportedClassVersionError/,
      /class file has wrong version/,
      /invalid (?:source|target) release/,
      /release version \d+ not supported/,
    ],
    words:
      'unsupportedclassversionerror compiled by a more recent version of the java runtime class file version release not supported',
    category: 'configuration',
    severity: 'medium',
    cause:
      'The Java that runs is older than the one that the class was compiled for (65 is Java 21, 61 is 17, 55 is 11, 52 is 8).',
    steps: [
      step('See which Java runs, and which compiles', 'java -version', 'javac -version'),
      stepBy('Use the newer one', {
        linux: 'export JAVA_HOME=<path of the JDK>',
        windows: 'setx JAVA_HOME "<path of the JDK>"',
      }),
      step('Or compile for the older one: --release <version>'),
    ],
    verify: ['`java -version` is at least what the class wants'],
    tags: ['java'],
  },
  {
    id: 'java-class-not-found',
    title: 'A class is not on the classpath when it runs',
    signs: [/java\.lang\.(?:ClassNotFoundException|NoClassDefFoundError): [\w.$/]*[./]/],
    words: 'classnotfoundexception noclassdeffounderror class path jar driver',
    category: 'dependency',
    severity: 'medium',
    cause:
      'The jar with the class is missing when the program runs: scope `provided` or `test`, a jar without its dependencies, or another version.',
    steps: [
      step('See which dependency has it', 'mvn dependency:tree', './gradlew dependencies'),
      step('Add it with scope compile or runtime, and build again'),
    ],
    verify: ['The jar on the classpath lists the class: `jar tf <jar>`'],
    tags: ['java', 'maven', 'gradle'],
  },
  {
    id: 'java-main-class',
    title: 'Java does not find the main class or the jar',
    signs: [/Could not find or load main class/, /Unable to access jarfile/, /no main manifest attribute/],
    words: 'could not find or load main class unable to access jarfile no main manifest attribute',
    category: 'configuration',
    severity: 'low',
    cause:
      'The name of the class (with its package), the classpath or the path of the jar is wrong, or the jar names no main class.',
    steps: [
      step('Give the full name and the folder above its package', 'java -cp target/classes <package>.<Class>'),
      step('See what the jar says', 'unzip -p <jar> META-INF/MANIFEST.MF'),
    ],
    verify: ['The program starts'],
    tags: ['java'],
  },
  {
    id: 'java-null-pointer',
    title: 'A member of null is used in Java',
    signs: [/(?:java\.lang\.|Kotlin)NullPointerException/],
    words: 'nullpointerexception cannot invoke because is null',
    category: 'logic',
    severity: 'medium',
    cause: 'A reference is null where it is used; since Java 14 the message names which one.',
    steps: [
      step('Read "because … is null", and go to the first line of the stack that is your own'),
      step('Find where it should have been set, and handle null there'),
    ],
    verify: ['The case that failed runs'],
    tags: ['java'],
  },
  {
    id: 'java-out-of-memory',
    title: 'The heap of Java is full',
    signs: [/java\.lang\.OutOfMemoryError/, /GC overhead limit exceeded/],
    words: 'outofmemoryerror java heap space gc overhead limit exceeded metaspace xmx',
    category: 'resource',
    severity: 'high',
    cause: 'More is kept than the heap holds: a leak, or a limit that is too low for the work.',
    steps: [
      step('Let it write what it holds', 'java -XX:+HeapDumpOnOutOfMemoryError -jar <jar>'),
      step('Give it more', 'java -Xmx4g -jar <jar>'),
      step('Look for what grows in the dump'),
    ],
    verify: ['Memory stays level over time: `jstat -gc <pid> 1000`'],
    tags: ['java', 'memory'],
  },
  {
    id: 'java-concurrent-modification',
    title: 'A collection is changed while it is gone through',
    signs: [/ConcurrentModificationException/],
    words: 'concurrentmodificationexception iterator checkforcomodification remove while iterating',
    category: 'logic',
    severity: 'medium',
    cause: 'The loop over a collection, or another thread, adds to it or removes from it.',
    steps: [
      step("Use removeIf, the iterator's own remove, or go through a copy"),
      step('With threads, a concurrent collection or a lock'),
    ],
    verify: ['The case that failed runs many times'],
    tags: ['java', 'concurrency'],
  },
  {
    id: 'java-cannot-find-symbol',
    title: 'javac knows no such name or package',
    signs: [
      /error: cannot find symbol/,
      /error: package [\w.]{1,200} does not exist/,
      /\[ERROR\][^\n]{0,300}cannot find symbol/,
    ],
    words: 'javac error cannot find symbol package does not exist location class',
    category: 'dependency',
    severity: 'low',
    cause: 'The name is misspelt or not imported, its dependency is missing, or it is generated and was not yet.',
    steps: [
      step('Import it, or correct the name'),
      step('Add the dependency that has it'),
      step('Build from the beginning, so that generated sources are made', 'mvn compile', './gradlew compileJava'),
    ],
    verify: ['The compilation ends'],
    tags: ['java'],
  },
  {
    id: 'maven-cannot-resolve',
    title: 'Maven or Gradle cannot get a dependency',
    signs: [
      /Could not resolve dependencies for project/,
      /Could not (?:find|resolve) [\w.-]{1,100}:[\w.-]{1,100}:/,
      /DependencyResolutionException/,
    ],
    words:
      'maven could not resolve dependencies for project artifact cannot access central offline gradle could not find',
    category: 'dependency',
    severity: 'medium',
    cause:
      'The artifact is in none of the configured repositories, its coordinates are wrong, or the repository cannot be reached or wants a login.',
    steps: [
      step('Ask again, also for what failed before', 'mvn -U compile', './gradlew build --refresh-dependencies'),
      step('Check group, artifact and version'),
      step('Name its repository, and the login in settings.xml'),
    ],
    verify: ['`mvn dependency:get -Dartifact=<group>:<artifact>:<version>` ends'],
    tags: ['java', 'maven', 'gradle'],
  },
]

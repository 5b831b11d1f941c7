import { describe, expect, it } from 'vitest'
import { findViolations } from './check-imports.ts'

const packages = {
  'packages/kernel/package.json': '{"name":"@lode/kernel","exports":{".":"./src/index.ts"}}',
  'packages/wire/package.json': '{"name":"@lode/wire","exports":{".":"./src/index.ts","./texts/*":"./src/texts/*.ts"}}',
  'apps/server/package.json': '{"name":"@lode/server","exports":{".":"./src/index.ts"}}',
  'apps/web/package.json': '{"name":"@lode/web"}',
  'scripts/package.json': '{"name":"@lode/scripts","exports":{"./anvil":"./stack/anvil.ts"}}',
}
/** Files that can be imported. */
const present = Object.fromEntries(
  [
    'packages/kernel/src/index.ts',
    'packages/wire/src/index.ts',
    'packages/wire/src/texts/en.ts',
    'apps/server/src/index.ts',
    'apps/server/src/platform/db.ts',
    'apps/server/src/modules/identity/index.ts',
    'apps/server/src/modules/identity/rules.ts',
    'apps/server/src/modules/team/index.ts',
    'apps/server/src/processes/api.ts',
    'apps/web/src/app/router.tsx',
    'apps/web/src/features/home/index.ts',
    'apps/web/src/features/home/head.tsx',
    'apps/web/src/features/sign-in/index.ts',
    'apps/web/src/chain/index.ts',
    'apps/web/src/chain/discovery.ts',
    'apps/web/src/dev-wallet/index.ts',
    'apps/web/src/shared/format.ts',
    'apps/web/src/shared/session/index.ts',
    'apps/web/src/shared/session/store.ts',
    'scripts/stack/anvil.ts',
  ].map((path) => [path, '']),
)
const checkFiles = (files: Record<string, string>) =>
  findViolations(new Map(Object.entries({ ...packages, ...present, ...files })))
const findReasons = (file: string, source: string) => checkFiles({ [file]: source }).map(({ because }) => because)

describe('an import', () => {
  it.each([
    ['packages/wire/src/money.ts', "import { parseAmount } from '@lode/kernel'"],
    ['packages/wire/src/money.ts', "import * as z from 'zod/mini'"],
    ['apps/server/src/platform/http.ts', "import { routes } from '@lode/wire'\nimport fastify from 'fastify'"],
    ['apps/server/src/platform/http.ts', "import { texts } from '@lode/wire/texts/en'"],
    ['apps/server/src/modules/identity/rules.ts', "import { place } from '../team/index.ts'"],
    ['apps/server/src/modules/team/rules.test.ts', "import { member } from '../identity/index.ts'"],
    ['apps/server/src/modules/identity/queries.ts', "import { isLive } from './rules.ts'"],
    ['apps/server/src/processes/worker.ts', "import { team } from '../modules/team/index.ts'"],
    ['apps/web/src/features/home/head.tsx', "import { useSession } from '../../shared/session/index.ts'"],
    ['apps/web/src/features/home/head.tsx', "import { short } from '../../shared/format.ts'"],
    ['apps/web/src/features/home/pay.ts', "import { pay } from '../../chain/index.ts'"],
    ['apps/web/src/features/home/head.tsx', "import styles from './head.module.css'"],
    ['apps/web/src/main.tsx', "if (import.meta.env.DEV) void import('./dev-wallet/index.ts')"],
    ['apps/web/src/main.tsx', "const wallet = () => import('./chain/index.ts')"],
    ['apps/web/src/features/sign-in/index.ts', "import type { Wallet } from '../../chain/index.ts'"],
    ['apps/server/src/modules/team/placement.integration.test.ts', "import '../../processes/api.ts'"],
    ['apps/server/src/modules/team/placement.integration.test.ts', "import '@lode/scripts/anvil'"],
  ])('is allowed in %s: %s', (file, source) => {
    expect(findReasons(file, source)).toEqual([])
  })
})

describe('the check refuses', () => {
  it.each([
    ['a package that imports an app', 'packages/wire/src/a.ts', "import '@lode/server'", 'one way'],
    ['kernel importing wire', 'packages/kernel/src/a.ts', "import '@lode/wire'", 'one way'],
    ['kernel importing a library', 'packages/kernel/src/a.ts', "import { keccak256 } from 'viem'", 'free of'],
    ['kernel importing Node', 'packages/kernel/src/a.ts', "import 'node:fs'", 'free of'],
    ['the larger entry of zod', 'packages/wire/src/a.ts', "import { z } from 'zod'", 'zod/mini'],
    [
      'a module importing a later one',
      'apps/server/src/modules/team/a.ts',
      "import { member } from '../identity/index.ts'",
      'team must not import identity',
    ],
    [
      'a module that is missing from the order',
      'apps/server/src/modules/lottery/a.ts',
      "import { member } from '../identity/index.ts'",
      'lottery is missing from moduleOrder',
    ],
    ['platform importing a module', 'apps/server/src/platform/a.ts', "import '../modules/team/index.ts'", 'one way'],
    ['a module importing a process', 'apps/server/src/modules/team/a.ts', "import '../../processes/api.ts'", 'one way'],
    [
      'a type import against the direction',
      'apps/web/src/shared/a.ts',
      "import type { A } from '../app/router.tsx'",
      'one way',
    ],
    [
      'a dynamic import against the direction',
      'apps/web/src/shared/a.ts',
      "void import('../features/home/index.ts')",
      'one way',
    ],
    ['shared importing the chain', 'apps/web/src/shared/a.ts', "import '../chain/index.ts'", 'one way'],
    ['the server importing test tools', 'apps/server/src/platform/a.ts', "import '@lode/scripts/anvil'", 'one way'],
    [
      'past the door of a module',
      'apps/server/src/modules/team/a.ts',
      "import '../identity/rules.ts'",
      'one way in is',
    ],
    [
      'past the door of a module, from a process',
      'apps/server/src/processes/a.ts',
      "import '../modules/identity/rules.ts'",
      'one way in is',
    ],
    ['past the door of a feature', 'apps/web/src/app/a.tsx', "import('../features/home/head.tsx')", 'one way in is'],
    ['past the door of a shared part', 'apps/web/src/app/a.ts', "import '../shared/session/store.ts'", 'one way in is'],
    [
      'a file that a package does not export',
      'apps/server/src/platform/a.ts',
      "import '@lode/wire/src/index.ts'",
      'not export',
    ],
    ['a package by its path', 'apps/server/src/a.ts', "import '../../../packages/wire/src/index.ts'", 'by its name'],
    ['a missing file', 'apps/server/src/platform/a.ts', "import './gone.ts'", 'no such file'],
    [
      'a static import of the development wallet',
      'apps/web/src/main.tsx',
      "import './dev-wallet/index.ts'",
      'on demand',
    ],
    [
      'the development wallet, even from the chain folder',
      'apps/web/src/chain/a.ts',
      "import '../dev-wallet/index.ts'",
      'on demand',
    ],
    ['the wallet at first paint', 'apps/web/src/main.tsx', "import './chain/index.ts'", 'before anything is pressed'],
    ['viem at first paint', 'apps/web/src/main.tsx', "import { isAddress } from 'viem/utils'", 'before anything'],
  ])('%s', (_what, file, source, words) => {
    expect(findReasons(file, source)).toEqual([expect.stringContaining(words)])
  })

  it('the wallet at first paint, also through other files', () => {
    const found = checkFiles({
      'apps/web/src/main.tsx': "import './app/router.tsx'",
      'apps/web/src/app/router.tsx': "import '../features/home/index.ts'",
      'apps/web/src/features/home/index.ts': "export * from './head.tsx'",
      'apps/web/src/features/home/head.tsx': "\nimport { connect } from '../../chain/index.ts'",
    })
    expect(found).toEqual([expect.objectContaining({ file: 'apps/web/src/features/home/head.tsx', line: 2 })])
  })
})

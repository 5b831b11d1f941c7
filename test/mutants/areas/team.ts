import { type Mutant, mutantsOf } from '../mutant.ts'

const folder = 'apps/server/src/modules/team'
const placement = `${folder}/placement.integration.test.ts`
const net = `${folder}/net.integration.test.ts`
const oneBlock = 'apps/server/src/modules/promotion/one-block.integration.test.ts'

export const team: readonly Mutant[] = [
  ...mutantsOf(
    `${folder}/rules.ts`,
    [`${folder}/rules.test.ts`],
    [
      ['branches[number - 1]', 'branches[number % 3]'],
      ['index < 3 * layerCount', 'index <= 3 * layerCount'],
      ['index % 3 === branchNumber - 1', 'index % 3 === branchNumber % 3'],
      ['3 ** layer', '3 * layer'],
      ['capacity: capacityOf(index + 1)', 'capacity: capacityOf(index)'],
      ['headcounts.slice(3 * index, 3 * index + 3)', 'headcounts.slice(3 * index, 3 * index + 2)'],
      ['full: headcount === capacity', 'full: headcount < capacity'],
      ['threeLayers: sumFirstLayers(3)', 'threeLayers: sumFirstLayers(2)'],
    ],
  ),
  ...mutantsOf(
    'apps/server/src/platform/http/opaque-ids.ts',
    ['apps/server/src/platform/http/opaque-ids.test.ts'],
    [
      ['plain.readBigInt64BE(0) === viewer ?', 'plain.readBigInt64BE(0) !== 0n ?'],
      [" || bytes.toString('base64url') !== id", ''],
      ['`lode: ${purpose}`', "'lode'"],
    ],
  ),
  ...mutantsOf(
    'apps/server/src/platform/http/page.ts',
    ['apps/server/src/platform/http/page.test.ts'],
    [
      ['`page of ${list} ${', '`page of ${'],
      ['.filter(([name]) => !NO_FILTERS.has(name))', '.filter(() => false)'],
    ],
  ),
  ...mutantsOf(
    `${folder}/functions/open_branch.sql`,
    [placement],
    [
      [
        'when open_depths[1] <= open_depths[2] and open_depths[1] <= open_depths[3]',
        'when open_depths[1] < open_depths[2] and open_depths[1] <= open_depths[3]',
      ],
      ['when open_depths[2] <= open_depths[3] then 2', 'when open_depths[2] < open_depths[3] then 2'],
    ],
  ),
  ...mutantsOf(
    `${folder}/functions/open_depth.sql`,
    [placement],
    [['least(open_depths[1], open_depths[2], open_depths[3])', 'least(open_depths[1], open_depths[2])']],
  ),
  ...mutantsOf(
    `${folder}/functions/place_member.sql`,
    [placement],
    [
      ['        open_depths[through] = depth_below + 1,\n', '        open_depths[through] = depth_below + 2,\n'],
      ['    if layer <= 5 then', '    if layer <= 4 then'],
      [
        'values (new_member, parent, in_branch, parent_depth + 1)',
        'values (new_member, parent, in_branch, parent_depth)',
      ],
    ],
  ),
  ...mutantsOf(
    `${folder}/functions/add_activation.sql`,
    [`${folder}/history.integration.test.ts`],
    [
      ['for layer in 1..5 loop', 'for layer in 1..4 loop'],
      ['case when member_id = sponsor then 1 else 0 end', '1'],
      ['      sponsor := null;\n', ''],
      ['      performance = performance + amount\n', '      performance = performance\n'],
      [
        'set activated = true where member_id = of_member and not activated',
        'set activated = true where member_id = of_member',
      ],
    ],
  ),
  ...mutantsOf(
    `${folder}/functions/add_performance.sql`,
    [`${folder}/history.integration.test.ts`],
    [
      ['for layer in 1..5 loop', 'for layer in 1..6 loop'],
      [
        'if (amount > 0 and amount = trunc(amount)) is not true then',
        'if (amount > 0) is not true then',
        { tests: [`${folder}/placement.integration.test.ts`] },
      ],
    ],
  ),
  ...mutantsOf(
    `${folder}/functions/lock_places.sql`,
    [oneBlock],
    [['up.id is not distinct from member.sponsor_id', 'false']],
  ),
  ...mutantsOf(
    `${folder}/queries.ts`,
    [net],
    [
      ['const layersLeft = LAYERS - path.length', 'const layersLeft: number = LAYERS'],
      ['rows[0]?.parent_id === viewer ? rows : null', 'rows.length > 0 ? rows : null'],
      ['where way.step < ${LAYERS} and', 'where way.step <= ${LAYERS} and'],
    ],
  ),
]

const prefixEach = (of: string, kinds: readonly string[]): string[] => kinds.map((kind) => `${of} ${kind}`)

/**
 * What the cast must see in a demo of any size. States that are `confirming` on the chain last only seconds and are not
 * listed.
 */
export const expectedStates: readonly string[] = [
  ...prefixEach('promotion', ['online success', 'balance success', 'mixed success', 'online expired', 'online paying']),
  ...prefixEach('pledge', ['online success', 'balance success', 'mixed success']),
  ...prefixEach('pledge', ['mixed cancelled', 'online expired', 'online paying']),
  ...prefixEach('transfer', ['USDT final', 'BTN final', 'BTC final', 'USDT cancelled', 'USDT rejected', 'USDT held']),
  ...prefixEach('pledge record', ['close', 'enable', 'payment', 'failed']),
  ...prefixEach('reward promotionReward', ['claim', 'failed']),
  ...prefixEach('reward upLevelReward', ['claim', 'failed']),
  ...prefixEach('reward agentReward', ['claim', 'unClaim']),
  ...prefixEach('reward missed:', ['not-activated', 'level-below', 'count-reached']),
  ...prefixEach('line', ['canceled', 'confirmed', 'confirming']),
  ...prefixEach('line', ['transferIn', 'transferOut', 'suspenseCredit', 'upLevelByBalance']),
  ...prefixEach('line', ['promotionReward', 'upLevelReward', 'agentReward']),
  ...prefixEach('line', ['airdropForActive', 'airdropForPromotion', 'airdropForAgent']),
  ...prefixEach('line', ['createPledge', 'pointReward', 'pledgeReturn']),
]

/** What exists only in a demo whose teams are large enough for partners. */
export const expectedPartnerStates: readonly string[] = [
  ...prefixEach('line', ['airdropForPartner', 'partnerReward']),
  ...['first: partner approved', 'ready: partner none', 'applicant: partner applied'],
]

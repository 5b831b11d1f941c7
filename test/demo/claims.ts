const each = (of: string, kinds: readonly string[]): string[] => kinds.map((kind) => `${of} ${kind}`)

/**
 * What the cast must see in a demo of any size. States that are `confirming` on the chain last only seconds and are not
 * listed.
 */
export const claims: readonly string[] = [
  ...each('promotion', ['online success', 'balance success', 'mixed success', 'online expired', 'online paying']),
  ...each('pledge', ['online success', 'balance success', 'mixed success']),
  ...each('pledge', ['mixed cancelled', 'online expired', 'online paying']),
  ...each('transfer', ['USDT final', 'BTN final', 'BTC final', 'USDT cancelled', 'USDT rejected', 'USDT held']),
  ...each('pledge record', ['close', 'enable', 'payment', 'failed']),
  ...each('reward promotionReward', ['claim', 'failed']),
  ...each('reward upLevelReward', ['claim', 'failed']),
  ...each('reward agentReward', ['claim', 'unClaim']),
  ...each('reward missed:', ['not-activated', 'level-below', 'count-reached']),
  ...each('line', ['canceled', 'confirmed', 'confirming']),
  ...each('line', ['transferIn', 'transferOut', 'suspenseCredit', 'upLevelByBalance']),
  ...each('line', ['promotionReward', 'upLevelReward', 'agentReward']),
  ...each('line', ['airdropForActive', 'airdropForPromotion', 'airdropForAgent']),
  ...each('line', ['createPledge', 'pointReward', 'pledgeReturn']),
]

/** What exists only in a demo whose teams are large enough for partners. */
export const claimsOfPartners: readonly string[] = [
  ...each('line', ['airdropForPartner', 'partnerReward']),
  ...['first: partner approved', 'ready: partner none', 'applicant: partner applied'],
]

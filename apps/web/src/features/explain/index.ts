export { CoinsLink } from './CoinsLink.tsx'
export { HelpLink } from './HelpLink.tsx'
export { WhatIs } from './WhatIs.tsx'

export { CoinsLink } from './CoinsLink.tsx'
export { WhatIs } from './WhatIs.tsx'

/**
 * Common characters that differ between Simplified and Traditional Chinese, in pairs: Simplified first. Characters that
 * are correct in both scripts for some word (里, 台, 系, 只, 著, …) are omitted: this list finds mistakes and does not
 * convert.
 */
const PAIRS = `
国國 学學 会會 个個 们們 这這 来來 时時 说說 为為 对對 发發 经經 过過 现現 开開 关關 门門 问問 间間 闭閉 闻聞 阅閱 车車 转轉 输輸 较較 软軟 连連
运運 还還 进進 远遠 适適 选選 遗遺 边邊 达達 迁遷 见見 视視 觉覺 览覽 规規 观觀 贝貝 负負 账賬 财財 货貨 购購 资資 赏賞 费費 贴貼 贵貴 质質 贡貢
败敗 责責 贷貸 贸貿 赠贈 赚賺 赎贖 员員 圆圓 钱錢 钟鐘 针針 铁鐵 银銀 链鏈 锁鎖 键鍵 错錯 镜鏡 钥鑰 铸鑄 锚錨 语語 请請 读讀 许許 认認 让讓 议議
记記 证證 评評 识識 诉訴 试試 话話 该該 详詳 误誤 课課 调調 谁誰 谢謝 译譯 访訪 设設 订訂 计計 诺諾 谨謹 讯訊 讨討 词詞 诚誠 谅諒 询詢 载載 级級
约約 纪紀 纯純 纸紙 线線 组組 细細 终終 结結 给給 绝絕 统統 继繼 续續 维維 绿綠 编編 缓緩 缩縮 网網 罗羅 页頁 项項 顺順 须須 顶頂 预預 领領 频頻
题題 额額 颜顏 显顯 类類 风風 飞飛 马馬 驱驅 验驗 骗騙 鱼魚 鸟鳥 龙龍 龟龜 东東 两兩 严嚴 丰豐 临臨 举舉 义義 乐樂 习習 乡鄉 书書 买買 乱亂 争爭
亏虧 亚亞 产產 亲親 亿億 仅僅 从從 仓倉 价價 众眾 优優 传傳 伤傷 伦倫 伪偽 体體 侧側 侨僑 俭儉 债債 倾傾 储儲 儿兒 兴興 养養 兽獸 内內 册冊 写寫
军軍 农農 冲沖 决決 况況 冻凍 净淨 减減 凭憑 击擊 创創 别別 删刪 剂劑 剑劍 剧劇 劝勸 办辦 务務 动動 励勵 劳勞 势勢 区區 医醫 华華 协協 单單 卖賣
卫衛 却卻 厂廠 厅廳 历歷 压壓 厌厭 参參 双雙 变變 叠疊 号號 叹嘆 吓嚇 吗嗎 启啟 吴吳 呐吶 响響 哑啞 团團 园園 围圍 图圖 块塊 场場 坏壞 坚堅 垒壘
执執 扩擴 扫掃 扬揚 抚撫 抛拋 抢搶 护護 报報 担擔 拟擬 拥擁 择擇 挂掛 挡擋 挤擠 挥揮 损損 换換 据據 掷擲 携攜 摄攝 摆擺 摇搖 撑撐 数數 断斷 无無
旧舊 暂暫 术術 机機 杀殺 杂雜 权權 条條 极極 构構 枪槍 标標 栏欄 树樹 样樣 桥橋 检檢 楼樓 欢歡 欧歐 岁歲 毁毀 毕畢 气氣 汇匯 汉漢 没沒 沟溝 泪淚
洁潔 测測 济濟 浏瀏 润潤 涨漲 渐漸 温溫 湾灣 湿濕 满滿 滚滾 滤濾 灭滅 灯燈 灵靈 点點 烧燒 热熱 爱愛 状狀 独獨 狱獄 环環 电電 画畫 畅暢 疗療 监監
盖蓋 盘盤 码碼 础礎 确確 矿礦 碍礙 礼禮 离離 种種 积積 称稱 稳穩 穷窮 窃竊 竞競 笔筆 签簽 简簡 筹籌 篮籃 粮糧 紧緊 纠糾 红紅 纤纖 织織 绍紹 绑綁
绘繪 综綜 缴繳 缘緣 职職 联聯 聪聰 肃肅 胜勝 脑腦 脚腳 脱脫 节節 艺藝 苏蘇 药藥 获獲 营營 蓝藍 虑慮 虚虛 虽雖 补補 装裝 触觸 誉譽 迟遲 邮郵 邻鄰
释釋 镇鎮 长長 队隊 阳陽 阴陰 阶階 际際 陆陸 陈陳 险險 随隨 隐隱 难難 雾霧 静靜 韩韓 顾顧 馆館 驳駁 齐齊 齿齒 户戶 录錄 后後 与與 于於 几幾 云雲
余餘 万萬 专專 业業 丢丟 么麼 乌烏 乔喬 亩畝 侠俠 复復 应應 怀懷 态態 总總 恶惡 惊驚 愿願 忆憶 悬懸 惯慣 归歸 当當 彻徹 径徑 弃棄 张張 强強 弹彈
异異 帐帳 带帶 帮幫 币幣 师師 广廣 庆慶 库庫 废廢 实實 宝寶 审審 宽寬 将將 寻尋 导導 尽盡 层層 属屬 岗崗 岛島 巩鞏 扰擾 拨撥 拦攔 敌敵 晓曉 滞滯
牺犧 络絡 钮鈕 夹夾 滥濫
`

const pairs = PAIRS.trim().split(/\s+/)
const simplifiedOnly = new Set(pairs.map(([simplified = '']) => simplified))
const traditionalOnly = new Set(pairs.map(([, traditional = '']) => traditional))

/** Characters of the other script, each once, in the order of the text. */
export const simplifiedCharactersIn = (text: string): string[] => charactersOf(text, simplifiedOnly)
export const traditionalCharactersIn = (text: string): string[] => charactersOf(text, traditionalOnly)

const charactersOf = (text: string, foreign: ReadonlySet<string>): string[] =>
  Array.from(new Set(text)).filter((character) => foreign.has(character))

/** Mainland words in Traditional characters, with the words that Taiwan uses. */
const MAINLAND_WORDS: Readonly<Record<string, string>> = {
  登錄: '登入',
  賬戶: '帳戶',
  賬號: '帳號',
  網絡: '網路',
  信息: '訊息, 資訊',
  默認: '預設',
  屏幕: '螢幕',
  軟件: '軟體',
  設置: '設定',
  鏈接: '連結',
  服務器: '伺服器',
  程序: '程式',
  數據: '資料',
  搜索: '搜尋',
  刷新: '重新整理',
  粘貼: '貼上',
  激活: '啟用',
  短信: '簡訊',
  質量: '品質',
  支持: '支援',
  加載: '載入',
  退出登: '登出',
}

export const mainlandWordsIn = (text: string): string[] =>
  Object.entries(MAINLAND_WORDS)
    .filter(([word]) => text.includes(word))
    .map(([word, instead]) => `${word} (${instead})`)

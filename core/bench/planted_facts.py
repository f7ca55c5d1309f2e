"""Small facts to be planted on pages of real documents, and questions that ask for them in other words."""

ENGLISH = (
    (
        "The spare keys of the boiler house in Tarnby are kept by Mrs Okonkwo in the porter's lodge.",
        "Who looks after the second set of keys for the Tarnby plant room?",
    ),
    (
        "Deliveries to the Falkenried warehouse are accepted only between 6 and 9 in the morning.",
        "At what hours can goods be brought to Falkenried?",
    ),
    (
        "The painting in the lobby was lent by the Halvorsen museum until the spring of 2031.",
        "How long may the picture from Halvorsen stay?",
    ),
    (
        "Every visitor of the Brennan laboratory must wear yellow overshoes and sign the blue register.",
        "What do guests have to put on before they enter the Brennan lab?",
    ),
    (
        "The annual picnic of the staff was moved from June to the last Friday of August for the heat.",
        "When does the employees' picnic take place now?",
    ),
    (
        "Captain Iversen reported that the ferry Solveig lost its port anchor off Cape Wrath.",
        "Which ship lost an anchor, and where did that happen?",
    ),
    (
        "The password of the archive terminal has to be changed by Mr Delacroix every eleven weeks.",
        "How often does Delacroix renew the login for the archives?",
    ),
    (
        "An orchard of 340 pear trees was planted behind the Kestrel building to hide it from the motorway.",
        "What grows at the back of Kestrel to shield it from the road?",
    ),
    (
        "The translation into Icelandic cost 18,750 crowns and was paid by the Thorsen foundation.",
        "Who financed the Icelandic version?",
    ),
    (
        "In winter the bridge over the Lune may be crossed by lorries of no more than eight tonnes.",
        "What is the weight limit for trucks on the Lune bridge in the cold season?",
    ),
    (
        "Dr Abernathy prescribes that the samples be shaken for ninety seconds before the vial is opened.",
        "For how much time should a sample be shaken according to Abernathy?",
    ),
    (
        "The clock tower of Merriden strikes thirteen at midnight because of a worn cogwheel.",
        "Why does the bell at Merriden ring once too often?",
    ),
    (
        "Nobody but the night watchman Osei may switch off the alarm of the vault.",
        "Who is allowed to disable the vault's alarm system?",
    ),
    (
        "Bees are kept on the roof of the Wexcombe office, and the honey is sold for charity in October.",
        "What happens to the honey that is made on top of the Wexcombe offices?",
    ),
    (
        "The tunnel between the two halls was flooded in 1987 and has been closed with bricks since then.",
        "Why can the tunnel that joins the halls no longer be used?",
    ),
    (
        "Ms Lindqvist donated her collection of 612 meteorites to the geological institute.",
        "How many meteorites did the institute receive from Lindqvist?",
    ),
    (
        "The canteen serves herring on Tuesdays, and the recipe comes from the cook's grandmother in Gdansk.",
        "On which day is there herring for lunch?",
    ),
    (
        "A parrot named Admiral lives in the waiting room of the Port Elgin branch.",
        "What is the name of the bird at the Port Elgin branch?",
    ),
    (
        "The lighthouse keeper receives an allowance of 45 litres of paraffin a month.",
        "How much fuel does the keeper of the lighthouse get?",
    ),
    (
        "The hydraulic press in Novaky is lubricated with castor oil, because mineral oil attacks its seals.",
        "Which lubricant must be used for the press at Novaky?",
    ),
    (
        "Umbrellas left behind in the tram are stored for six weeks at the depot in Calder Street.",
        "Where can passengers find an umbrella that they forgot in the tram?",
    ),
    (
        "The choir of Saint Odile rehearses in the turbine hall, which has an echo of seven seconds.",
        "In what room does the Saint Odile choir practise?",
    ),
    (
        "Engineer Papadakis measured a tilt of four millimetres at the north chimney.",
        "By how much does the chimney in the north lean?",
    ),
    (
        "The last wolf in the Arden reserve was seen by the forester Quill on a snowy evening in 1902.",
        "Who saw the wolf at Arden for the last time?",
    ),
)

CHINESE = (
    ("塔恩比锅炉房的备用钥匙由门卫室的欧阳女士保管。", "塔恩比锅炉房的第二套钥匙在谁手里?"),
    ("法尔肯仓库只在早上六点到九点之间接收货物。", "什么时候可以把货物送到法尔肯仓库?"),
    ("大厅里的油画由霍尔森博物馆出借,期限至二〇三一年春季。", "霍尔森的那幅画可以挂到哪一年?"),
    ("参观布伦南实验室的人员必须穿黄色鞋套。", "进入布伦南实验室之前要穿什么?"),
    ("渡轮索尔维号在北角附近丢失了左舷的锚。", "哪艘渡轮的锚丢了?"),
    ("冬季通过卢恩桥的卡车不得超过八吨。", "寒冷季节卢恩桥对卡车有什么重量限制?"),
    ("冰岛语译本的费用由托森基金会支付。", "谁为冰岛语的翻译出了钱?"),
    ("维克斯办公楼屋顶上养了蜜蜂,蜂蜜在十月义卖。", "屋顶上的蜂蜜怎样处理?"),
    ("食堂每逢星期二供应鲱鱼。", "星期几可以吃到鲱鱼?"),
    ("灯塔看守人每月领取四十五升煤油。", "灯塔的看守人能得到多少燃料?"),
    ("林女士把六百一十二块陨石捐给了地质研究所。", "研究所从林女士那里收到多少陨石?"),
    ("遗留在电车上的雨伞在车库保存六个星期。", "乘客把雨伞忘在电车上,去哪里找?"),
)

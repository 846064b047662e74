"""Everyday sentences whose mean vector is the language centre of the local embedder; changing one changes its identity."""

from __future__ import annotations

from typing import Final

ZH: Final = (
    "今天早上下了一场小雨，路面还是湿的。",
    "我们打算周末去爬山，顺便野餐。",
    "请帮我看看这份报告有没有错别字。",
    "他最近在学吉他，每天练半个小时。",
    "这家面馆的汤很鲜，价格也不贵。",
    "我的电脑突然很卡，重启以后好了。",
    "下个月的房租我已经转过去了。",
    "妈妈说晚饭想吃清淡一点。",
    "会议推迟到下午，地点不变。",
    "孩子发烧了，我们刚从医院回来。",
    "新买的鞋有点磨脚，我想换一双。",
    "你能推荐几本适合睡前看的书吗？",
    "公交车晚点了，我可能会迟到。",
    "阳台上的花开了，颜色很好看。",
    "这个问题我不太明白，能再讲一遍吗？",
    "昨天的比赛真精彩，最后一分钟才分出胜负。",
    "快递放在门口就可以了，谢谢。",
    "她换了一份工作，离家更近了。",
    "冰箱里没有鸡蛋了，记得买一盒。",
    "我把照片都存到硬盘里了。",
)

EN: Final = (
    "It rained a little this morning and the streets are still wet.",
    "We are going hiking this weekend and will bring a picnic.",
    "Could you check this report for spelling mistakes?",
    "He has been learning the guitar and practises every day.",
    "The soup at that noodle place is great and not expensive.",
    "My computer was very slow, but a restart fixed it.",
    "I have already paid the rent for next month.",
    "Mom would like something light for dinner.",
    "The meeting is moved to the afternoon, same room.",
    "The kid had a fever and we just got back from the doctor.",
    "My new shoes hurt, so I want to exchange them.",
    "Can you recommend a few books to read before bed?",
    "The bus is late, I might not make it on time.",
    "The flowers on the balcony are out and look lovely.",
    "I don't quite understand this, can you explain it again?",
    "Yesterday's match was exciting right to the last minute.",
    "Please leave the parcel at the door, thank you.",
    "She changed jobs and works closer to home now.",
    "We are out of eggs, remember to buy a box.",
    "I saved all the photos to the hard drive.",
)

"""Small talk between the facts of a script: what a person says and what is answered."""

from __future__ import annotations

SMALL_TALK = {
    "en": (
        ("The rain did not stop all morning.", "It does sound like a day for a warm drink."),
        ("I had noodles for lunch again.", "Noodles are hard to beat on a busy day."),
        ("My bicycle makes a strange noise lately.", "A drop of oil on the chain may help."),
        ("The film last night was longer than I thought.", "Long films need a good seat."),
        ("The lift was broken, so I took the stairs.", "That is some exercise for free."),
        ("I wonder why the office plants never grow.", "They may want more light."),
        ("There was a lot of traffic on the bridge.", "Bridges are always the narrow place."),
        ("The neighbour's cat sat on my window again.", "It seems to have chosen you."),
        ("I slept badly because of the wind.", "I hope tonight is calmer."),
        ("The new chairs squeak.", "They may need a little time."),
        ("The bakery round the corner was closed.", "Perhaps they are on holiday."),
        ("Somebody left an umbrella in the kitchen.", "Its owner will miss it soon."),
    ),
    "zh": (
        ("今天早上一直下雨。", "这种天气适合喝点热的。"),
        ("中午又吃了面条。", "忙的时候面条最省事。"),
        ("自行车最近老是响。", "链条上点油也许就好了。"),
        ("昨晚的电影比想的长。", "长电影得挑个好座位。"),
        ("电梯坏了,我是走楼梯上来的。", "就当锻炼身体了。"),
        ("办公室的绿植怎么总是不长。", "可能是光线不够。"),
        ("桥上堵得厉害。", "桥上总是最挤的。"),
        ("邻居家的猫又坐在我窗台上。", "看来它挺喜欢你。"),
        ("风太大,没睡好。", "希望今晚安静些。"),
        ("新椅子吱吱响。", "过一阵子也许就好了。"),
        ("街角的面包店关门了。", "可能是放假了吧。"),
        ("有人把伞落在厨房了。", "主人应该很快会来找。"),
    ),
}

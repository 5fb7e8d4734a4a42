"""Given names that show a person, and the short forms that people use for them."""

from __future__ import annotations

from functools import cache

from sanya.suites.memory.word_lists import phrases, word_list

_SHORT = phrases(
    """jeffrey: jeff geoffrey geoff|william: bill will billy|robert: bob rob bobby|richard: dick rick rich
    james: jim jimmy jamie|john: johnny jack|joseph: joe joey|thomas: tom tommy|michael: mike mick
    david: dave davy|daniel: dan danny|edward: ed eddie ted|elizabeth: liz beth eliza betty lizzie
    margaret: maggie meg peggy|katherine: kate kathy katie kat catherine cathy|susan: sue susie
    jennifer: jen jenny|christopher: chris|christine: chrissy|matthew: matt|anthony: tony|steven: steve stephen
    andrew: andy drew|alexander: alex sandy|benjamin: ben|samuel: sam|nicholas: nick|patrick: pat paddy
    patricia: patty trish|rebecca: becky|victoria: vicky|charles: charlie chuck|gregory: greg|kenneth: ken
    lawrence: larry|leonard: leo len|peter: pete|philip: phil|raymond: ray|ronald: ron|theodore: theo
    timothy: tim|walter: walt|zachary: zach|deborah: deb debbie|pamela: pam|melanie: mel|jessica: jess
    nathaniel: nate nathan|donald: don|douglas: doug|frederick: fred freddy|gerald: gerry|henry: hank harry"""
)
_OTHERS = word_list(
    """alice bob carol caroline dave eve frank grace heidi ivan judy mallory oscar peggy trent victor walter mary
    jane anna anne emma olivia sophia isabella charlotte amelia mia lucas mason ethan noah liam oliver george
    paul mark linda barbara sarah karen nancy lisa betty sandra ashley kimberly emily donna michelle amanda
    dorothy carolyn janet maria heather diane ruth julie joyce virginia kelly lauren christina joan evelyn
    judith megan andrea cheryl hannah martha gloria teresa sara madison frances kathryn janice jean abigail
    brian kevin jason ryan jacob gary eric jonathan justin scott brandon frank raymond adam kyle bruce ralph roy
    eugene ghislaine hillary barack angela emmanuel vladimir ali mohammed ahmed fatima priya raj wei li mei
    kenji yuki hiroshi somchai somsak somying prasert suda malee anong niran kittisak thaksin prayut nattapong
    siriporn wichai pim ploy nok lek pedro juan carlos jose luis miguel sofia elena marco luca giulia pierre
    marie hans klaus lars sven ingrid olga natasha dmitri boris"""
)
_THAI = word_list(
    """สมชาย สมศักดิ์ สมหญิง สมศรี ประเสริฐ สุดา มาลี อนงค์ นิรันดร์ กิตติศักดิ์ ณัฐพงษ์ ศิริพร วิชัย ทักษิณ ประยุทธ์ วิไล พรทิพย์ สุนทร อรทัย สุชาติ
    ปรีชา มานะ มานี ปิติ ชูใจ จันทร์ วันชัย ธนา อารีย์ นภา กมล ชัยวัฒน์ วรรณา สุพจน์ สมปอง สมบัติ บุญมี ทองดี แดง ดำ เอก นิด หน่อย"""
)
FORMAL: dict[str, str] = {}
"""By a short form: the name it most often shortens."""
for _line in _SHORT:
    _formal, _, _forms = _line.partition(":")
    for _form in _forms.split():
        FORMAL.setdefault(_form, _formal.strip())
GIVEN_NAMES = frozenset([*FORMAL, *FORMAL.values(), *_OTHERS, *_THAI])
THAI_GIVEN_NAMES = tuple(sorted(_THAI, key=len, reverse=True))


def formal_name(given: str) -> str:
    """The name that a short form stands for, in small letters; any other comes back as it is."""
    return FORMAL.get(given, given)


@cache
def names_behind_titles() -> frozenset[str]:
    """Thai given names by the thousand. Many are words as well, so they count as names behind a title alone."""
    from pythainlp.corpus.common import thai_female_names, thai_male_names  # here: few texts need them

    return frozenset((*thai_female_names(), *thai_male_names(), *_THAI))

"""Cities and countries by their names in both languages: enough to know that two cities are two places, and that a
city lies in its country. A place that is not here is simply not known to be elsewhere."""

from __future__ import annotations

_CITIES = """
thailand/ไทย: bangkok/กรุงเทพ/กรุงเทพฯ/กรุงเทพมหานคร chiang_mai/เชียงใหม่ chiang_rai/เชียงราย phuket/ภูเก็ต
 khon_kaen/ขอนแก่น pattaya/พัทยา ayutthaya/อยุธยา/พระนครศรีอยุธยา nakhon_ratchasima/นครราชสีมา/โคราช hat_yai/หาดใหญ่
 songkhla/สงขลา udon_thani/อุดรธานี rayong/ระยอง chonburi/ชลบุรี krabi/กระบี่ surat_thani/สุราษฎร์ธานี lampang/ลำปาง
 phitsanulok/พิษณุโลก nonthaburi/นนทบุรี nakhon_pathom/นครปฐม hua_hin/หัวหิน sukhothai/สุโขทัย lamphun/ลำพูน nan/น่าน
 phrae/แพร่ tak/ตาก kanchanaburi/กาญจนบุรี ratchaburi/ราชบุรี phetchaburi/เพชรบุรี trang/ตรัง yala/ยะลา pattani/ปัตตานี
 narathiwat/นราธิวาส ubon_ratchathani/อุบลราชธานี nong_khai/หนองคาย loei/เลย buriram/บุรีรัมย์ surin/สุรินทร์
 roi_et/ร้อยเอ็ด trat/ตราด chanthaburi/จันทบุรี saraburi/สระบุรี lopburi/ลพบุรี
japan/ญี่ปุ่น: tokyo/โตเกียว osaka/โอซาก้า kyoto/เกียวโต sapporo nagoya fukuoka
china/จีน: beijing/ปักกิ่ง shanghai/เซี่ยงไฮ้ shenzhen guangzhou/กวางโจว chengdu
south_korea/เกาหลีใต้: seoul/โซล busan
taiwan/ไต้หวัน: taipei/ไทเป
vietnam/เวียดนาม: hanoi/ฮานอย ho_chi_minh_city/โฮจิมินห์ da_nang
laos/ลาว: vientiane/เวียงจันทน์ luang_prabang/หลวงพระบาง
cambodia/กัมพูชา: phnom_penh/พนมเปญ siem_reap
myanmar/เมียนมา/พม่า: yangon/ย่างกุ้ง mandalay
malaysia/มาเลเซีย: kuala_lumpur/กัวลาลัมเปอร์ penang/ปีนัง
indonesia/อินโดนีเซีย: jakarta/จาการ์ตา bali surabaya
philippines/ฟิลิปปินส์: manila/มะนิลา cebu
india/อินเดีย: mumbai/มุมไบ delhi/เดลี new_delhi/นิวเดลี bangalore chennai kolkata hyderabad
nepal: kathmandu
united_arab_emirates: dubai/ดูไบ abu_dhabi
turkey/ตุรกี: istanbul/อิสตันบูล ankara
egypt/อียิปต์: cairo/ไคโร
kenya: nairobi
south_africa: johannesburg cape_town
nigeria: lagos abuja
france/ฝรั่งเศส: paris/ปารีส lyon marseille nice toulouse bordeaux
germany/เยอรมนี: berlin/เบอร์ลิน munich/มิวนิก hamburg frankfurt/แฟรงก์เฟิร์ต cologne stuttgart
united_kingdom/อังกฤษ/สหราชอาณาจักร: london/ลอนดอน manchester liverpool edinburgh glasgow birmingham oxford
 cambridge
ireland: dublin
italy/อิตาลี: rome/โรม milan/มิลาน venice/เวนิส florence naples turin
spain/สเปน: madrid/มาดริด barcelona/บาร์เซโลนา seville valencia
portugal: lisbon porto
netherlands: amsterdam/อัมสเตอร์ดัม rotterdam
belgium: brussels/บรัสเซลส์ antwerp
switzerland/สวิตเซอร์แลนด์: zurich/ซูริก geneva/เจนีวา bern basel
austria: vienna/เวียนนา salzburg
sweden/สวีเดน: stockholm gothenburg
norway: oslo bergen
denmark: copenhagen
finland: helsinki
poland: warsaw krakow
czech_republic: prague/ปราก
hungary: budapest
greece: athens/เอเธนส์
russia/รัสเซีย: moscow/มอสโก saint_petersburg
ukraine: kyiv odesa
united_states/สหรัฐ/สหรัฐอเมริกา: new_york/นิวยอร์ก los_angeles/ลอสแอนเจลิส chicago/ชิคาโก boston/บอสตัน
 san_francisco/ซานฟรานซิสโก seattle miami houston dallas denver atlanta philadelphia washington/วอชิงตัน phoenix
 detroit las_vegas honolulu austin portland
canada/แคนาดา: toronto/โทรอนโต vancouver/แวนคูเวอร์ montreal ottawa calgary
mexico: mexico_city cancun
brazil/บราซิล: rio_de_janeiro sao_paulo brasilia
argentina: buenos_aires
chile: santiago
australia/ออสเตรเลีย: sydney/ซิดนีย์ melbourne/เมลเบิร์น perth brisbane canberra/แคนเบอร์รา
new_zealand: auckland wellington
singapore/สิงคโปร์:
hong_kong/ฮ่องกง:
"""

PLACES: dict[str, str] = {}
"""By any name in small letters: the place."""
COUNTRY_OF: dict[str, str] = {}
COUNTRIES: set[str] = set()


def _learn(names: str) -> str:
    known = [name.replace("_", " ") for name in names.split("/")]
    PLACES.update(dict.fromkeys(known, known[0]))
    return known[0]


for _line in _CITIES.replace("\n ", " ").strip().splitlines():
    _country, _, _cities = _line.partition(":")
    _land = _learn(_country)
    COUNTRIES.add(_land)
    for _city in _cities.split():
        COUNTRY_OF[_learn(_city)] = _land
THAI_PLACE_HEADS = ("จังหวัด", "อำเภอ", "ตำบล", "เมือง", "ประเทศ", "แขวง", "เขต")


def place_of(name: str) -> str | None:
    """The place that a name means, None if it is not known."""
    folded = name.casefold().strip()
    for head in THAI_PLACE_HEADS:
        folded = folded.removeprefix(head)
    return PLACES.get(folded.strip())


def surely_elsewhere(one: str, other: str) -> bool:
    """Whether both are known and nobody can be in both at once: two cities, or a city and another country."""
    first, second = place_of(one), place_of(other)
    if first is None or second is None or first == second:
        return False
    first_land, second_land = COUNTRY_OF.get(first), COUNTRY_OF.get(second)
    if first_land and second_land:
        return True
    return (first_land or first) != (second_land or second)

"""Thai names with their official Latin spelling, and names with spellings that people really use."""

from __future__ import annotations

PROVINCES = """
    กระบี่ Krabi|กาญจนบุรี Kanchanaburi|กาฬสินธุ์ Kalasin|กำแพงเพชร Kamphaeng Phet|ขอนแก่น Khon Kaen
    จันทบุรี Chanthaburi|ฉะเชิงเทรา Chachoengsao|ชลบุรี Chon Buri|ชัยนาท Chai Nat|ชัยภูมิ Chaiyaphum
    ชุมพร Chumphon|เชียงราย Chiang Rai|เชียงใหม่ Chiang Mai|ตรัง Trang|ตราด Trat|ตาก Tak|นครนายก Nakhon Nayok
    นครปฐม Nakhon Pathom|นครพนม Nakhon Phanom|นครราชสีมา Nakhon Ratchasima|นครศรีธรรมราช Nakhon Si Thammarat
    นครสวรรค์ Nakhon Sawan|นนทบุรี Nonthaburi|นราธิวาส Narathiwat|น่าน Nan|บึงกาฬ Bueng Kan|บุรีรัมย์ Buri Ram
    ปทุมธานี Pathum Thani|ประจวบคีรีขันธ์ Prachuap Khiri Khan|ปราจีนบุรี Prachin Buri|ปัตตานี Pattani
    พระนครศรีอยุธยา Phra Nakhon Si Ayutthaya|พะเยา Phayao|พังงา Phangnga|พัทลุง Phatthalung|พิจิตร Phichit
    พิษณุโลก Phitsanulok|เพชรบุรี Phetchaburi|เพชรบูรณ์ Phetchabun|แพร่ Phrae|ภูเก็ต Phuket
    มหาสารคาม Maha Sarakham|มุกดาหาร Mukdahan|แม่ฮ่องสอน Mae Hong Son|ยโสธร Yasothon|ยะลา Yala|ร้อยเอ็ด Roi Et
    ระนอง Ranong|ระยอง Rayong|ราชบุรี Ratchaburi|ลพบุรี Lop Buri|ลำปาง Lampang|ลำพูน Lamphun|เลย Loei
    ศรีสะเกษ Si Sa Ket|สกลนคร Sakon Nakhon|สงขลา Songkhla|สตูล Satun|สมุทรปราการ Samut Prakan
    สมุทรสงคราม Samut Songkhram|สมุทรสาคร Samut Sakhon|สระแก้ว Sa Kaeo|สระบุรี Saraburi|สิงห์บุรี Sing Buri
    สุโขทัย Sukhothai|สุพรรณบุรี Suphan Buri|สุราษฎร์ธานี Surat Thani|สุรินทร์ Surin|หนองคาย Nong Khai
    หนองบัวลำภู Nong Bua Lam Phu|อ่างทอง Ang Thong|อำนาจเจริญ Amnat Charoen|อุดรธานี Udon Thani
    อุตรดิตถ์ Uttaradit|อุทัยธานี Uthai Thani|อุบลราชธานี Ubon Ratchathani
    กรุงเทพมหานคร Krung Thep Maha Nakhon
"""
"""The provinces, on which the rules were fitted."""
DISTRICTS = """
    พระนคร Phra Nakhon|ดุสิต Dusit|หนองจอก Nong Chok|บางรัก Bang Rak|บางเขน Bang Khen|บางกะปิ Bang Kapi
    ปทุมวัน Pathum Wan|ป้อมปราบศัตรูพ่าย Pom Prap Sattru Phai|พระโขนง Phra Khanong|มีนบุรี Min Buri
    ลาดกระบัง Lat Krabang|ยานนาวา Yan Nawa|สัมพันธวงศ์ Samphanthawong|พญาไท Phaya Thai|ธนบุรี Thon Buri
    บางกอกใหญ่ Bangkok Yai|ห้วยขวาง Huai Khwang|คลองสาน Khlong San|ตลิ่งชัน Taling Chan|บางกอกน้อย Bangkok Noi
    บางขุนเทียน Bang Khun Thian|ภาษีเจริญ Phasi Charoen|หนองแขม Nong Khaem|ราษฎร์บูรณะ Rat Burana
    บางพลัด Bang Phlat|ดินแดง Din Daeng|บึงกุ่ม Bueng Kum|สาทร Sathon|บางซื่อ Bang Sue|จตุจักร Chatuchak
    บางคอแหลม Bang Kho Laem|ประเวศ Prawet|คลองเตย Khlong Toei|สวนหลวง Suan Luang|จอมทอง Chom Thong
    ดอนเมือง Don Mueang|ราชเทวี Ratchathewi|ลาดพร้าว Lat Phrao|วัฒนา Watthana|บางแค Bang Khae|หลักสี่ Lak Si
    สายไหม Sai Mai|คันนายาว Khan Na Yao|สะพานสูง Saphan Sung|วังทองหลาง Wang Thonglang|คลองสามวา Khlong Sam Wa
    บางนา Bang Na|ทวีวัฒนา Thawi Watthana|ทุ่งครุ Thung Khru|บางบอน Bang Bon|หัวหิน Hua Hin|ปากช่อง Pak Chong
    แม่สอด Mae Sot|แม่ริม Mae Rim|สันกำแพง San Kamphaeng|หางดง Hang Dong|ดอยสะเก็ด Doi Saket
    เชียงของ Chiang Khong|เชียงแสน Chiang Saen|แม่สาย Mae Sai|เวียงชัย Wiang Chai|พาน Phan|เทิง Thoeng|ปาย Pai
    ขุนยวม Khun Yuam|แม่สะเรียง Mae Sariang|สบเมย Sop Moei|ปางมะผ้า Pang Mapha|บางละมุง Bang Lamung
    ศรีราชา Si Racha|สัตหีบ Sattahip|บ้านบึง Ban Bueng|พนัสนิคม Phanat Nikhom|เกาะช้าง Ko Chang|เกาะกูด Ko Kut
    คลองใหญ่ Khlong Yai|แหลมงอบ Laem Ngop|ท่าใหม่ Tha Mai|ขลุง Khlung|โป่งน้ำร้อน Pong Nam Ron|แกลง Klaeng
    ปลวกแดง Pluak Daeng|บ้านค่าย Ban Khai|ท่ายาง Tha Yang|ชะอำ Cha-am|บ้านแหลม Ban Laem|เขาย้อย Khao Yoi
    ปราณบุรี Pran Buri|สามร้อยยอด Sam Roi Yot|กุยบุรี Kui Buri|ทับสะแก Thap Sakae|บางสะพาน Bang Saphan
    ท่าแซะ Tha Sae|หลังสวน Lang Suan|สวี Sawi|ทุ่งตะโก Thung Tako|ไชยา Chaiya|ท่าฉาง Tha Chang|พุนพิน Phunphin
    บ้านนาสาร Ban Na San|เกาะสมุย Ko Samui|เกาะพะงัน Ko Pha-ngan|กาญจนดิษฐ์ Kanchanadit|ดอนสัก Don Sak
    สิชล Sichon|ขนอม Khanom|ปากพนัง Pak Phanang|ทุ่งสง Thung Song|ร่อนพิบูลย์ Ron Phibun|ลานสกา Lan Saka
    พรหมคีรี Phrom Khiri|หาดใหญ่ Hat Yai|สะเดา Sadao|จะนะ Chana|เทพา Thepha|ระโนด Ranot|สทิงพระ Sathing Phra
    ตะกั่วป่า Takua Pa|กะทู้ Kathu|ถลาง Thalang|อ่าวลึก Ao Luek|เกาะลันตา Ko Lanta|คลองท่อม Khlong Thom
    กันตัง Kantang|ห้วยยอด Huai Yot|สิเกา Sikao|ละงู La-ngu|ควนขนุน Khuan Khanun|เขาชัยสน Khao Chaison
    ปากพะยูน Pak Phayun|วารินชำราบ Warin Chamrap|เดชอุดม Det Udom|พิบูลมังสาหาร Phibun Mangsahan
    โขงเจียม Khong Chiam|กันทรลักษ์ Kantharalak|ขุนหาญ Khun Han|ปราสาท Prasat|ท่าตูม Tha Tum|จอมพระ Chom Phra
    นางรอง Nang Rong|ลำปลายมาศ Lam Plai Mat|พุทไธสง Phutthaisong|ปักธงชัย Pak Thong Chai|สีคิ้ว Sikhio
    สูงเนิน Sung Noen|โชคชัย Chok Chai|พิมาย Phimai|บัวใหญ่ Bua Yai|ด่านขุนทด Dan Khun Thot|ครบุรี Khon Buri
    วังน้ำเขียว Wang Nam Khiao
"""
"""Districts of Bangkok and of the country. Read for the first time, 140 of the 151 were right; some of what the others
showed was then mended."""
MEDICINES = """
    ยาหอมเทพจิตร Ya Hom Thep Chit|ยาหอมแก้ลมวิงเวียน Ya Hom Kae Lom Wing Wian|ยาหอมทิพโอสถ Ya Hom Thip Osot
    ยาหอมนวโกฐ Ya Hom Nawakot|ยาหอมอินทจักร์ Ya Hom Inthachak|ยาเบญจกูล Ya Benchakun|ยาขมิ้นชัน Ya Khamin Chan
    ยาขิง Ya Khing|ยาธาตุบรรจบ Ya That Banchop|ยาธาตุอบเชย Ya That Opchoei
    ยาประสะเจตพังคี Ya Prasa Chetphangkhi|ยาประสะเปราะใหญ่ Ya Prasa Pro Yai|ยาประสะกะเพรา Ya Prasa Kaphrao
    ยาประสะกานพลู Ya Prasa Kanphlu|ยามหาจักรใหญ่ Ya Maha Chak Yai|ยามันทธาตุ Ya Manthathat
    ยาวิสัมพยาใหญ่ Ya Wisamphaya Yai|ยาอภัยสาลี Ya Aphaisali|ยาชุมเห็ดเทศ Ya Chumhet Thet
    ยาถ่ายดีเกลือฝรั่ง Ya Thai Di Kluea Farang|ยาธรณีสันฑะฆาต Ya Thorani Santhakhat|ยามะขามแขก Ya Makham Khaek
    ยาเหลืองปิดสมุทร Ya Lueang Pit Samut|ยากล้วย Ya Kluai|ยาฟ้าทะลายโจร Ya Fa Thalai Chon
    ยาบรรเทาริดสีดวง Ya Banthao Ritsiduang|ยาริดสีดวงมหากาฬ Ya Ritsiduang Mahakan|ยาเลือดงาม Ya Lueat Ngam
    ยาไฟประลัยกัลป์ Ya Fai Pralai Kan|ยาไฟห้ากอง Ya Fai Ha Kong|ยาประสะไพล Ya Prasa Phlai
    ยาปลูกไฟธาตุ Ya Pluk Fai That|ยาสตรีหลังคลอด Ya Satri Lang Khlot|ยาเขียวหอม Ya Khiao Hom
    ยาจันทลีลา Ya Chantha Lila|ยาบัวบก Ya Bua Bok|ยาประสะจันทน์แดง Ya Prasa Chan Daeng
    ยามหานิลแท่งทอง Ya Maha Nin Thaeng Thong|ยามะระขี้นก Ya Mara Khi Nok|ยารางจืด Ya Rang Chuet
    ยาหญ้าปักกิ่ง Ya Ya Pak King|ยาห้าราก Ya Ha Rak|ยาตรีผลา Ya Tri Phala|ยาประสะมะแว้ง Ya Prasa Mawaeng
    ยาปราบชมพูทวีป Ya Prap Chomphu Thawip|ยาบำรุงโลหิต Ya Bamrung Lohit|ยาเถาวัลย์เปรียง Ya Thao Wan Priang
    ยาแก้ลมแก้เส้น Ya Kae Lom Kae Sen|ยาแก้ลมอัมพฤกษ์ Ya Kae Lom Ammaphruek|ยากษัยเส้น Ya Kasai Sen
    ยาทำลายพระสุเมรุ Ya Thamlai Phra Sumen|ยาประคบ Ya Prakhop|ยาสหัศธารา Ya Sahatsathara
    ยาอัมฤตย์โอสถ Ya Ammarit Osot|ยาตรีเกสรมาส Ya Tri Keson Mat|ยาตรีพิกัด Ya Tri Phikat|ยาพญายอ Ya Phaya Yo
    ยากระเจี๊ยบแดง Ya Krachiap Daeng|ยาหญ้าหนวดแมว Ya Ya Nuat Maeo|ยาหญ้าดอกขาว Ya Ya Dok Khao
    ยาประสะกัญชา Ya Prasa Kancha|ยาศุขไสยาศน์ Ya Suk Saiyat|กระดอม Kradom|บอระเพ็ด Boraphet|สมอทะเล Samo Thale
    ย่านาง Yanang|เจตพังคี Chetphangkhi|กรุงเขมา Krung Khama|ขี้อ้าย Khi Ai|แจง Chaeng|โมกมัน Mok Man
    มะกา Maka|สักขี Sakkhi|สารภี Saraphi|ขอบชะนาง Khop Chanang|แสมสาร Samae San|ว่านชักมดลูก Wan Chak Motluk
    ผักกระโฉม Phak Krachom|ว่านร่อนทอง Wan Ron Thong|พิษนาศน์ Phitsanat|เหมือดคน Mueat Khon|คนทา Khontha
    ชิงชี่ Chingchi|กำลังวัวเถลิง Kamlang Wua Thaloeng|กุ่มบก Kum Bok|กุ่มน้ำ Kum Nam|โคคลาน Khokhlan
    ม้ากระทืบโรง Ma Krathuep Rong|มะดูก Maduk|ขันทองพยาบาท Khanthong Phayabat|เอ็นอ่อน En On
    ว่านเอ็นเหลือง Wan En Lueang|เปราะป่า Pro Pa|เปล้าใหญ่ Plao Yai|แคนา Khae Na|กัดลิ้น Kat Lin
"""
"""Formulae and herbs of the national list."""
SPELLINGS = {
    "ฟ้าทะลายโจร": [
        "fa thalai chon",
        "fah talai jone",
        "fa-talai-jon",
        "Fah Thalai Jone",
        "fah tha lai jone",
        "fa talai jon",
        "Fah Talay Jone",
        "fathalaichon",
        "Fah-talai-jorn",
        "FA TALAI CHON",
    ],
    "ขมิ้นชัน": ["khamin chan", "kamin chan", "kha min chan", "Khaminchan", "khamin-shan"],
    "เบญจกูล": ["Benchakun", "Benjakul", "Benja-kul", "Benchakul"],
    "นวโกฐ": ["Nawakot", "Navakot", "Nawakod", "Nava-kote"],
    "เขียวหอม": ["Khiao Hom", "Kheaw-Hom", "Kheaw Hom", "Khiew hom", "kiew hom", "Khiaw Hom"],
    "ประสะไพล": ["Prasa Phlai", "Prasaplai", "Prasa plai"],
    "จันทลีลา": ["Chantha Lila", "Chantaleela", "Chantalila", "Jantaleela"],
    "ประสะจันทน์แดง": ["Prasa Chan Daeng", "Prasachandaeng", "Prasajandaeng", "Prasa jan dang"],
    "มหานิลแท่งทอง": ["Maha Nin Thaeng Thong", "Mahanintangtong", "Maha Nil Tang Tong"],
    "ห้าราก": ["Ha Rak", "Ha-Rak", "Harak", "Hah Rak"],
    "ปราบชมพูทวีป": ["Prap Chomphu Thawip", "Prabchompoothaweep", "Prab chom pu ta weep"],
    "หลังคลอด": ["Lang Khlot", "Lhang-Klod", "Lang Klot"],
    "ย่านาง": ["yanang", "ya nang", "yah nang", "yaanang"],
    "กวาวเครือ": ["kwao khruea", "kwao krua", "gwao kreua", "kwao kreua"],
    "มะขามป้อม": ["makham pom", "makampom", "ma kham pom", "ma-kham-pom"],
    "บัวบก": ["bua bok", "buabok", "bua-bok", "bua bog"],
    "รางจืด": ["rang chuet", "rang jued", "rangjued", "rang jeud", "rang chued", "rang jeut"],
    "เพชรสังฆาต": ["phet sangkhat", "petsangkhat", "Phetsangkat", "petch sangkhat", "phet sang khat", "pet sang kaat"],
    "กระชาย": ["krachai", "grachai", "kra chai", "krachaai", "gra-chai"],
    "กระชายดำ": ["krachai dam", "kra chai dam", "grachai dam", "krachaidam"],
    "มะรุม": ["marum", "ma room", "maroom", "ma-rum"],
    "มะกรูด": ["makrut", "makrood", "magrood", "ma krut", "magrud"],
    "ตะไคร้": ["takhrai", "takrai", "ta-krai", "dtakrai", "ta khrai"],
    "โหระพา": ["horapha", "horapa", "ho ra pha", "horaphaa"],
    "ขิง": ["khing", "king"],
    "บอระเพ็ด": ["boraphet", "borapet", "boraped", "bora pet", "bor-ra-pet"],
    "ยาหอม": ["ya hom", "yahom", "yaa hom", "yah hom"],
    "มะแว้ง": ["ma waeng", "mawaeng", "ma weng", "mawang"],
    "พญายอ": ["phaya yo", "payayor", "phaya yor", "payayaw", "phayayor"],
    "ชุมเห็ดเทศ": ["chumhet thet", "chumhet tet", "chumhed thet", "chum het thet"],
    "เชียงใหม่": ["chiang mai", "chiangmai", "chieng mai", "Chiengmai"],
    "ภูเก็ต": ["phuket", "puket", "phuked", "poo ket"],
    "นครราชสีมา": ["Nakhon Ratchasima", "Nakorn Ratchasima", "Nakornrajasima", "nakhon rachasima"],
    "กาญจนบุรี": ["Kanchanaburi", "Karnchanaburi", "Kanjanaburi", "Kanchana buri"],
    "กระเทียม": ["krathiam", "kratiem", "kra tiam", "gratiem"],
    "ว่านชักมดลูก": ["wan chak motluk", "waan chak mod look", "wan chak mod luk"],
    "หญ้าหนวดแมว": ["ya nuat maeo", "yaa nuad maew", "ya nuad maew", "yah nuat maew"],
    "เถาวัลย์เปรียง": ["thao wan priang", "thaowanpriang", "tao wan prieng", "thao-wan-priang"],
    "ดอกคำฝอย": ["dok kham foi", "dok kam foy", "dok khamfoi"],
    "มะระขี้นก": ["mara khi nok", "mara kee nok", "mara kinok", "ma ra khi nok"],
    "กัญชา": ["kancha", "ganja", "gancha", "kanja"],
    "ลูกประคบ": ["luk prakhop", "look pra kob", "luk prakob", "luk pra kop"],
    "สมุนไพร": ["samunphrai", "samunprai", "samoon prai", "sa mun phrai"],
}


def pairs(names: str) -> list[tuple[str, str]]:
    """Each Thai name with its Latin one."""
    entries = (entry.split(maxsplit=1) for line in names.split("\n") for entry in line.split("|") if entry.strip())
    return [(thai, latin.strip()) for thai, latin in entries]

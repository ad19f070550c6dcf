"""Names of laws as statutes write them ("des Bürgerlichen Gesetzbuchs"), and the abbreviations people cite.

A name is compared without its case endings. What is not in the table keeps its name, in the nominative as well as rules can
make it.
"""

import re
from functools import lru_cache

_TABLE = """
AEUV: Vertrag über die Arbeitsweise der Europäischen Union
AGG: Allgemeines Gleichbehandlungsgesetz
AktG: Aktiengesetz
AMG: Arzneimittelgesetz
AO: Abgabenordnung
ArbGG: Arbeitsgerichtsgesetz
ArbSchG: Arbeitsschutzgesetz
ArbZG: Arbeitszeitgesetz
AsylbLG: Asylbewerberleistungsgesetz
AsylG: Asylgesetz
AtG: Atomgesetz
AufenthG: Aufenthaltsgesetz
AÜG: Arbeitnehmerüberlassungsgesetz
AWG: Außenwirtschaftsgesetz
AWV: Außenwirtschaftsverordnung
BAföG: Bundesausbildungsförderungsgesetz
BauGB: Baugesetzbuch
BauNVO: Baunutzungsverordnung
BBesG: Bundesbesoldungsgesetz
BBG: Bundesbeamtengesetz
BBiG: Berufsbildungsgesetz
BDSG: Bundesdatenschutzgesetz
BeamtVG: Beamtenversorgungsgesetz
BeamtStG: Beamtenstatusgesetz
BEEG: Bundeselterngeld- und Elternzeitgesetz
BetrAVG: Betriebsrentengesetz
BetrVG: Betriebsverfassungsgesetz
BeurkG: Beurkundungsgesetz
BewG: Bewertungsgesetz
BFSG: Barrierefreiheitsstärkungsgesetz
BGB: Bürgerliches Gesetzbuch
BHO: Bundeshaushaltsordnung
BImSchG: Bundes-Immissionsschutzgesetz
BKAG: Bundeskriminalamtgesetz
BKGG: Bundeskindergeldgesetz
BNatSchG: Bundesnaturschutzgesetz
BNotO: Bundesnotarordnung
BPersVG: Bundespersonalvertretungsgesetz
BRAO: Bundesrechtsanwaltsordnung
BUrlG: Bundesurlaubsgesetz
BVerfGG: Bundesverfassungsgerichtsgesetz
BVG: Bundesversorgungsgesetz
BWahlG: Bundeswahlgesetz
BZRG: Bundeszentralregistergesetz
ChemG: Chemikaliengesetz
DRiG: Deutsches Richtergesetz
EEG: Erneuerbare-Energien-Gesetz
EGBGB: Einführungsgesetz zum Bürgerlichen Gesetzbuche
EGHGB: Einführungsgesetz zum Handelsgesetzbuch
EGInsO: Einführungsgesetz zur Insolvenzordnung
EGStGB: Einführungsgesetz zum Strafgesetzbuch
EGStPO: Einführungsgesetz zur Strafprozessordnung
EGZPO: Einführungsgesetz betreffend die Einführung der Zivilprozessordnung
EGZPO: Einführungsgesetz zur Zivilprozessordnung
EGGVG: Einführungsgesetz zum Gerichtsverfassungsgesetz
EnWG: Energiewirtschaftsgesetz
EntgFG: Entgeltfortzahlungsgesetz
ErbStG: Erbschaftsteuer- und Schenkungsteuergesetz
ErbStG: Erbschaftsteuergesetz
ErbbauRG: Erbbaurechtsgesetz
EStG: Einkommensteuergesetz
EStDV: Einkommensteuer-Durchführungsverordnung
EUV: Vertrag über die Europäische Union
FamFG: Gesetz über das Verfahren in Familiensachen und in den Angelegenheiten der freiwilligen Gerichtsbarkeit
FernUSG: Fernunterrichtsschutzgesetz
FGO: Finanzgerichtsordnung
GBO: Grundbuchordnung
GBV: Grundbuchverfügung
GenG: Genossenschaftsgesetz
GewO: Gewerbeordnung
GewStG: Gewerbesteuergesetz
GewSchG: Gewaltschutzgesetz
GG: Grundgesetz
GG: Grundgesetz für die Bundesrepublik Deutschland
GKG: Gerichtskostengesetz
GmbHG: Gesetz betreffend die Gesellschaften mit beschränkter Haftung
GmbHG: GmbH-Gesetz
GNotKG: Gerichts- und Notarkostengesetz
GrEStG: Grunderwerbsteuergesetz
GrStG: Grundsteuergesetz
GVG: Gerichtsverfassungsgesetz
GWB: Gesetz gegen Wettbewerbsbeschränkungen
HGB: Handelsgesetzbuch
HGrG: Haushaltsgrundsätzegesetz
HwO: Handwerksordnung
IfSG: Infektionsschutzgesetz
InsO: Insolvenzordnung
InvStG: Investmentsteuergesetz
JArbSchG: Jugendarbeitsschutzgesetz
JFDG: Jugendfreiwilligendienstegesetz
JGG: Jugendgerichtsgesetz
JVEG: Justizvergütungs- und -entschädigungsgesetz
KAGB: Kapitalanlagegesetzbuch
KHEntgG: Krankenhausentgeltgesetz
KHG: Krankenhausfinanzierungsgesetz
KSchG: Kündigungsschutzgesetz
KStG: Körperschaftsteuergesetz
KraftStG: Kraftfahrzeugsteuergesetz
KrWG: Kreislaufwirtschaftsgesetz
KunstUrhG: Kunsturhebergesetz
KWG: Kreditwesengesetz
LFGB: Lebensmittel- und Futtermittelgesetzbuch
LPartG: Lebenspartnerschaftsgesetz
LuftVG: Luftverkehrsgesetz
MarkenG: Markengesetz
MiLoG: Mindestlohngesetz
MitbestG: Mitbestimmungsgesetz
MuSchG: Mutterschutzgesetz
NachwG: Nachweisgesetz
OWiG: Gesetz über Ordnungswidrigkeiten
PAngV: Preisangabenverordnung
PartGG: Partnerschaftsgesellschaftsgesetz
PatG: Patentgesetz
PBefG: Personenbeförderungsgesetz
PflegeZG: Pflegezeitgesetz
ProdHaftG: Produkthaftungsgesetz
ProdSG: Produktsicherheitsgesetz
PStG: Personenstandsgesetz
RDG: Rechtsdienstleistungsgesetz
ROG: Raumordnungsgesetz
RPflG: Rechtspflegergesetz
RVG: Rechtsanwaltsvergütungsgesetz
SGB I: Erstes Buch Sozialgesetzbuch
SGB II: Zweites Buch Sozialgesetzbuch
SGB III: Drittes Buch Sozialgesetzbuch
SGB IV: Viertes Buch Sozialgesetzbuch
SGB V: Fünftes Buch Sozialgesetzbuch
SGB VI: Sechstes Buch Sozialgesetzbuch
SGB VII: Siebtes Buch Sozialgesetzbuch
SGB VII: Siebentes Buch Sozialgesetzbuch
SGB VIII: Achtes Buch Sozialgesetzbuch
SGB IX: Neuntes Buch Sozialgesetzbuch
SGB X: Zehntes Buch Sozialgesetzbuch
SGB XI: Elftes Buch Sozialgesetzbuch
SGB XII: Zwölftes Buch Sozialgesetzbuch
SGB XIV: Vierzehntes Buch Sozialgesetzbuch
SGG: Sozialgerichtsgesetz
SigG: Signaturgesetz
SprAuG: Sprecherausschussgesetz
StGB: Strafgesetzbuch
StPO: Strafprozessordnung
StVG: Straßenverkehrsgesetz
StVO: Straßenverkehrs-Ordnung
StVZO: Straßenverkehrs-Zulassungs-Ordnung
StVollzG: Strafvollzugsgesetz
SVG: Soldatenversorgungsgesetz
TierSchG: Tierschutzgesetz
TKG: Telekommunikationsgesetz
TVG: Tarifvertragsgesetz
TzBfG: Teilzeit- und Befristungsgesetz
UKlaG: Unterlassungsklagengesetz
UmwG: Umwandlungsgesetz
UmwStG: Umwandlungssteuergesetz
UrhG: Urheberrechtsgesetz
UStG: Umsatzsteuergesetz
UVPG: Gesetz über die Umweltverträglichkeitsprüfung
UWG: Gesetz gegen den unlauteren Wettbewerb
VAG: Versicherungsaufsichtsgesetz
VBVG: Vormünder- und Betreuervergütungsgesetz
VerschG: Verschollenheitsgesetz
VersAusglG: Versorgungsausgleichsgesetz
VgV: Vergabeverordnung
VVG: Versicherungsvertragsgesetz
VwGO: Verwaltungsgerichtsordnung
VwKostG: Verwaltungskostengesetz
VwVfG: Verwaltungsverfahrensgesetz
VwVG: Verwaltungs-Vollstreckungsgesetz
VwZG: Verwaltungszustellungsgesetz
WEG: Wohnungseigentumsgesetz
WHG: Wasserhaushaltsgesetz
WiStG 1954: Wirtschaftsstrafgesetz 1954
WoGG: Wohngeldgesetz
WoFG: Wohnraumförderungsgesetz
WpHG: Wertpapierhandelsgesetz
WpPG: Wertpapierprospektgesetz
ZPO: Zivilprozessordnung
ZVG: Gesetz über die Zwangsversteigerung und die Zwangsverwaltung
"""

_ENDINGS = (
    (re.compile(r"(gesetz)(?:es|s)?$"), r"\1"),
    (re.compile(r"(buch)(?:es|s|e)?$"), r"\1"),
    (re.compile(r"(vertrag|statut|protokoll|erlass)(?:es|s)?$"), r"\1"),
    (re.compile(r"(abkommen|übereinkommen|kodex)s?$"), r"\1"),
    (re.compile(r"(ordnung|richtlinie|konvention|charta|satzung|vorschrift|verfassung|verfügung)$"), r"\1"),
)
_ADJECTIVE = re.compile(r"(?:en|es|er|em|e)$")
_ARTICLE = re.compile(r"^(?:des|der|dem|das|die)\s+")


def name_key(name: str) -> str:
    """A law's name without case endings, spelling variants, hyphens and blanks, for comparison."""
    words = []
    for word in _ARTICLE.sub("", name).replace("ß", "ss").replace("-", " ").casefold().split():
        for pattern, stem in _ENDINGS:
            if pattern.search(word):
                words.append(pattern.sub(stem, word))
                break
        else:
            words.append(_ADJECTIVE.sub("", word) if len(word) > 4 else word)
    return "".join(words)


@lru_cache(maxsize=4096)
def nominative(name: str) -> str:
    """ "Unterlassungsklagengesetzes" → "Unterlassungsklagengesetz"; adjectives before the noun get the ending of the
    nominative."""
    words = _ARTICLE.sub("", name).split()
    for i, word in enumerate(words):
        for pattern, stem in _ENDINGS:
            if pattern.search(word.casefold()):
                head = re.sub(pattern.pattern, stem, word, flags=re.IGNORECASE)
                feminine = re.search(r"(?:ordnung|linie|konvention|charta|satzung|ung)$", head)
                ending = "e" if feminine else "er" if head.casefold().endswith("vertrag") else "es"
                before = [re.sub(r"en$", ending, w) if w[:1].isupper() else w for w in words[:i]]
                return " ".join([*before, head, *words[i + 1 :]])
    return " ".join(words)


@lru_cache(maxsize=4096)
def abbreviation(name: str) -> str | None:
    """The abbreviation of a law's name in any case ("des Bürgerlichen Gesetzbuchs" → "BGB"); None if it is not in the table.

    A book of the Social Code may be named without "Sozialgesetzbuch" ("des Neunten Buches").
    """
    key = name_key(name)
    return _BY_NAME.get(key) or (_BY_NAME.get(key + "sozialgesetzbuch") if key.endswith("buch") else None)


_BY_NAME = {name_key(full): short for short, _, full in (line.partition(": ") for line in _TABLE.strip().splitlines())}

"""Word lists of German legal prose that sentence rules need. The rules themselves are in `sentences`."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ABBREVIATIONS = _words(
    """
    banz fa abs abschn abt abw allg alt amtl anh anl anm apr art aufl aug ausschl bd beil bek bekm bes betr bgbl bl buchst
    bundesgesetzbl bzgl bzw ca dez dgl dipl dr einschl entspr erl etc evtl exkl feb ff fn gbl gem ges ggf gmbl gvbl
    halbs hrsg hs idf idr ing inkl insb jan jul jun jur kap kfm kl lfd lit max med min mio mrd nds nov nr nrn okt
    phil pos prof rd rdn rdnr reg resp rgbl rn rspr sek sept sog sp st std str tab tel tz uabs unterabs urt usw verb
    verf verz vgl vh vol vorbem ziff zit zul zzgl
    """
)
"""Words that carry a full stop of their own, in lower case, as German statutes and their citations use them."""

STARTERS = _words(
    """
    Ab Absatz Absätze Abweichend Abweichende Abweichendes Alle Alles Als Am An Andere Anderenfalls Andernfalls
    Anstelle Artikel Auch Auf Aufgrund Aus Ausgenommen Ausnahmen Außer Außerdem Bei Beide Beim Bereits Besondere
    Bestehen Besteht Betrifft Beträgt Bis Dabei Dadurch Dafür Dagegen Daher Damit Danach Daneben Dann Daraus Darf
    Darüber Das Dasselbe Davon Dazu Dem Demgegenüber Den Denen Der Deren Derselbe Des Deshalb Dessen Die Dies Diese
    Dieselbe Dieselben Diesem Diesen Dieser Dieses Durch Dürfen Ebenso Ein Eine Einem Einen Einer Eines Einzelheiten
    Endet Entscheidend Entscheidet Entsprechend Entsprechende Entsprechendes Er Erfolgen Erfolgt Ergibt Erhalten
    Erhält Es Etwaige Ferner Finden Findet Folgende Für Gegen Gegenüber Gehören Gehört Gelten Gilt Gleiche Gleiches
    Haben Halbsatz Handelt Hat Hatte Hierbei Hierdurch Hierfür Hierin Hiervon Hierzu Hierüber Hinsichtlich Ihm Ihnen
    Ihr Ihre Ihrem Ihren Im In Innerhalb Ins Insbesondere Insofern Insoweit Ist Jede Jedem Jeden Jeder Jedes Jedoch
    Jeweils Kann Kein Keine Keiner Kommen Kommt Können Lassen Letztere Liegen Liegt Lässt Läßt Machen Macht Man
    Maßgebend Maßgeblich Mehrere Mit Muss Muß Müssen Nach Nachdem Neben Nicht Nimmt Nummer Nur Näheres Ob Oberhalb
    Obwohl Ohne Rechtsverordnungen Reicht Satz Sein Seine Seinem Seiner Sie Sieht Sind So Sobald Sofern Solange Soll
    Sollen Sonst Sonstige Soweit Spätestens Statt Stattdessen Stehen Steht Stellen Stellt Sätze Treten Tritt Trotz
    Um Unabhängig Unberührt Unbeschadet Ungeachtet Unter Unterbleibt Unterhalb Verfügt Vom Von Vor Voraussetzung
    Vorbehaltlich Vorschriften War Waren Weder Wegen Weil Weitere Weitergehende Wenn Wer Werden Weshalb Wie Wird Wo
    Wurde Wurden Während Zu Zudem Zugleich Zum Zur Zuständig Zusätzlich Zwischen § §§ Über Überschreitet
    """
)
"""Capitalised words that can only begin a sentence: articles, pronouns, particles, verbs in first place."""

"""References labelled by hand in sentences written for this purpose, in the manner of a dozen laws. No sentence is law text.

One tuple a section: (law, designation, text, [(reference as written, [targets])…]). The text may have Absatz markers.
"""

# ruff: noqa: E501

Labelled = tuple[str, str, str, list[tuple[str, list[str]]]]

LABELLED: list[Labelled] = [
    # in the manner of the Civil Code
    (
        "MusterGB",
        "§ 40",
        "Der Verleiher haftet nach § 12 Absatz 1 Satz 2, soweit nicht die §§ 14, 15 und 17a anwendbar sind.",
        [
            ("§ 12 Absatz 1 Satz 2", ["§ 12 Abs. 1 Satz 2 MusterGB"]),
            ("§§ 14, 15 und 17a", ["§ 14 MusterGB", "§ 15 MusterGB", "§ 17a MusterGB"]),
        ],
    ),
    (
        "MusterGB",
        "§ 41",
        "(1) Für den Tausch gelten die §§ 20 bis 23 entsprechend. (2) Absatz 1 gilt nicht, wenn § 25 Abs. 2 Nr. 1 Buchstabe b erfüllt ist.",
        [
            ("§§ 20 bis 23", ["§ 20 MusterGB", "§ 21 MusterGB", "§ 22 MusterGB", "§ 23 MusterGB"]),
            ("Absatz 1", ["§ 41 Abs. 1 MusterGB"]),
            ("§ 25 Abs. 2 Nr. 1 Buchstabe b", ["§ 25 Abs. 2 Nr. 1 Buchst. b MusterGB"]),
        ],
    ),
    (
        "MusterGB",
        "§ 42",
        "(1) Wer leiht, gibt zurück. (2) Im Fall des Absatzes 1 kann Ersatz nach Maßgabe der §§ 50, 51 Abs. 1 Satz 2 Nr. 3 verlangt werden. Satz 1 gilt nicht für Kaufleute.",
        [
            ("Absatzes 1", ["§ 42 Abs. 1 MusterGB"]),
            ("§§ 50, 51 Abs. 1 Satz 2 Nr. 3", ["§ 50 MusterGB", "§ 51 Abs. 1 Satz 2 Nr. 3 MusterGB"]),
            ("Satz 1", ["§ 42 Abs. 2 Satz 1 MusterGB"]),
        ],
    ),
    (
        "MusterGB",
        "§ 43",
        "Die Vorschriften der §§ 60 ff. über den Auftrag sowie des § 70 Absatz 2 bis 4 bleiben unberührt.",
        [
            ("§§ 60 ff.", ["§ 60 MusterGB"]),
            ("§ 70 Absatz 2 bis 4", ["§ 70 Abs. 2 MusterGB", "§ 70 Abs. 3 MusterGB", "§ 70 Abs. 4 MusterGB"]),
        ],
    ),
    (
        "MusterGB",
        "§ 44",
        "Das Muster in Anlage 2 zu Artikel 9 § 1 Absatz 2 Satz 1 des Einführungsgesetzes zum Bürgerlichen Gesetzbuche genügt.",
        [
            ("Anlage 2", ["Anlage 2 EGBGB"]),
            (
                "Artikel 9 § 1 Absatz 2 Satz 1 des Einführungsgesetzes zum Bürgerlichen Gesetzbuche",
                ["Art 9 § 1 Abs. 2 Satz 1 EGBGB"],
            ),
        ],
    ),
    (
        "MusterGB",
        "§ 45",
        "Die §§ 18 und 19 des Handelsgesetzbuchs und § 7 der Zivilprozessordnung sind anzuwenden, nicht aber § 8.",
        [
            ("§§ 18 und 19 des Handelsgesetzbuchs", ["§ 18 HGB", "§ 19 HGB"]),
            ("§ 7 der Zivilprozessordnung", ["§ 7 ZPO"]),
            ("§ 8", ["§ 8 MusterGB"]),
        ],
    ),
    (
        "MusterGB",
        "§ 46",
        "Der Anspruch verjährt in den Fristen des § 30 Absatz 1 Nummer 2 und 3, Absatz 4 und des § 31.",
        [
            (
                "§ 30 Absatz 1 Nummer 2 und 3, Absatz 4",
                ["§ 30 Abs. 1 Nr. 2 MusterGB", "§ 30 Abs. 1 Nr. 3 MusterGB", "§ 30 Abs. 4 MusterGB"],
            ),
            ("§ 31", ["§ 31 MusterGB"]),
        ],
    ),
    # in the manner of the Penal Code
    (
        "MusterStG",
        "§ 90",
        "(1) Wer einen Bootssteg beschädigt, wird bestraft. (2) Der Versuch ist strafbar. (3) In den Fällen der Absätze 1 und 2 ist § 12a Abs. 3 anzuwenden.",
        [
            ("Absätze 1 und 2", ["§ 90 Abs. 1 MusterStG", "§ 90 Abs. 2 MusterStG"]),
            ("§ 12a Abs. 3", ["§ 12a Abs. 3 MusterStG"]),
        ],
    ),
    (
        "MusterStG",
        "§ 91",
        "Ebenso wird bestraft, wer eine Tat nach § 90 Absatz 1, auch in Verbindung mit Absatz 2, oder nach § 92 Abs. 1 Nr. 1 Buchst. a, c oder d begeht.",
        [
            ("§ 90 Absatz 1, auch in Verbindung mit Absatz 2", ["§ 90 Abs. 1 MusterStG", "§ 90 Abs. 2 MusterStG"]),
            (
                "§ 92 Abs. 1 Nr. 1 Buchst. a, c oder d",
                [
                    "§ 92 Abs. 1 Nr. 1 Buchst. a MusterStG",
                    "§ 92 Abs. 1 Nr. 1 Buchst. c MusterStG",
                    "§ 92 Abs. 1 Nr. 1 Buchst. d MusterStG",
                ],
            ),
        ],
    ),
    (
        "MusterStG",
        "§ 92",
        "(1) Straflos ist, wer nach Absatz 2 handelt. (2) Absatz 1 gilt nicht in besonders schweren Fällen (§ 94 Abs. 2 Satz 2 Nr. 1). (3) § 91 gilt entsprechend.",
        [
            ("Absatz 2", ["§ 92 Abs. 2 MusterStG"]),
            ("Absatz 1", ["§ 92 Abs. 1 MusterStG"]),
            ("§ 94 Abs. 2 Satz 2 Nr. 1", ["§ 94 Abs. 2 Satz 2 Nr. 1 MusterStG"]),
            ("§ 91", ["§ 91 MusterStG"]),
        ],
    ),
    (
        "MusterStG",
        "§ 93",
        "Handelt der Täter gewerbsmäßig, so ist auf Freiheitsstrafe zu erkennen; § 90 Abs. 3 und § 91 sind nicht anzuwenden.",
        [
            ("§ 90 Abs. 3", ["§ 90 Abs. 3 MusterStG"]),
            ("§ 91", ["§ 91 MusterStG"]),
        ],
    ),
    # in the manner of the Social Code
    (
        "SGB XX",
        "§ 7",
        "Leistungen nach dem Dritten Kapitel werden erbracht, wenn die Voraussetzungen des § 9 Absatz 4 des Zwölften Buches vorliegen.",
        [
            ("§ 9 Absatz 4 des Zwölften Buches", ["§ 9 Abs. 4 SGB XII"]),
        ],
    ),
    (
        "SGB XX",
        "§ 8",
        "(1) Berechtigt sind Personen im Sinne von § 2 Absatz 1 Satz 1 Nummer 1 bis 3. (2) Die Träger nach Absatz 1 Nummer 4 wirken mit. (3) § 44 Absatz 3 des Zehnten Buches Sozialgesetzbuch gilt entsprechend.",
        [
            (
                "§ 2 Absatz 1 Satz 1 Nummer 1 bis 3",
                ["§ 2 Abs. 1 Satz 1 Nr. 1 SGB XX", "§ 2 Abs. 1 Satz 1 Nr. 2 SGB XX", "§ 2 Abs. 1 Satz 1 Nr. 3 SGB XX"],
            ),
            ("Absatz 1 Nummer 4", ["§ 8 Abs. 1 Nr. 4 SGB XX"]),
            ("§ 44 Absatz 3 des Zehnten Buches Sozialgesetzbuch", ["§ 44 Abs. 3 SGB X"]),
        ],
    ),
    (
        "SGB XX",
        "§ 9",
        "Abweichend von § 7 Absatz 1 Satz 1 und 2 sowie den §§ 11a, 11b und 12 Absatz 2 wird der Zuschlag ohne Antrag gezahlt.",
        [
            ("§ 7 Absatz 1 Satz 1 und 2", ["§ 7 Abs. 1 Satz 1 SGB XX", "§ 7 Abs. 1 Satz 2 SGB XX"]),
            ("§§ 11a, 11b und 12 Absatz 2", ["§ 11a SGB XX", "§ 11b SGB XX", "§ 12 Abs. 2 SGB XX"]),
        ],
    ),
    (
        "SGB XX",
        "§ 10",
        "(1) Der Bedarf nach § 20 SGB II bleibt außer Betracht. (2) Satz 1 des Absatzes 1 gilt auch für Leistungen nach § 27a SGB XII und nach dem Asylbewerberleistungsgesetz.",
        [
            ("§ 20 SGB II", ["§ 20 SGB II"]),
            ("Satz 1 des Absatzes 1", ["§ 10 Abs. 1 Satz 1 SGB XX"]),
            ("§ 27a SGB XII", ["§ 27a SGB XII"]),
        ],
    ),
    (
        "SGB XX",
        "§ 11",
        "Die Vereinbarung nach § 5 Absatz 3 Satz 3 zweiter Halbsatz ist mit den Verbänden nach Satz 2 abzustimmen.",
        [
            ("§ 5 Absatz 3 Satz 3 zweiter Halbsatz", ["§ 5 Abs. 3 Satz 3 SGB XX"]),
            ("Satz 2", ["§ 11 Satz 2 SGB XX"]),
        ],
    ),
    # in the manner of tax law
    (
        "MusterStG 2020",
        "§ 4",
        "Bei Betrieben nach § 13 Abs. 1 Nr. 1 S. 2 ist der Wert nach § 6 Absatz 1 Nummer 4 Satz 2 und 3 anzusetzen.",
        [
            ("§ 13 Abs. 1 Nr. 1 S. 2", ["§ 13 Abs. 1 Nr. 1 Satz 2 MusterStG 2020"]),
            (
                "§ 6 Absatz 1 Nummer 4 Satz 2 und 3",
                ["§ 6 Abs. 1 Nr. 4 Satz 2 MusterStG 2020", "§ 6 Abs. 1 Nr. 4 Satz 3 MusterStG 2020"],
            ),
        ],
    ),
    (
        "MusterStG 2020",
        "§ 5",
        "Die §§ 140 bis 142 der Abgabenordnung und § 15a des Umsatzsteuergesetzes sind sinngemäß anzuwenden; § 4 Satz 1 bleibt unberührt.",
        [
            ("§§ 140 bis 142 der Abgabenordnung", ["§ 140 AO", "§ 141 AO", "§ 142 AO"]),
            ("§ 15a des Umsatzsteuergesetzes", ["§ 15a UStG"]),
            ("§ 4 Satz 1", ["§ 4 Satz 1 MusterStG 2020"]),
        ],
    ),
    (
        "MusterStG 2020",
        "§ 6",
        "Steuerfrei sind Zuwendungen im Sinne des § 3 Nummer 26 Satz 1 und Nummer 26a, höchstens jedoch der Betrag nach Anlage 3 Nummer 2.",
        [
            ("§ 3 Nummer 26 Satz 1 und Nummer 26a", ["§ 3 Nr. 26 Satz 1 MusterStG 2020", "§ 3 Nr. 26a MusterStG 2020"]),
            ("Anlage 3 Nummer 2", ["Anlage 3 Nr. 2 MusterStG 2020"]),
        ],
    ),
    (
        "MusterStG 2020",
        "§ 7",
        "§ 6 Absatz 3 Satz 1 Buchstabe a Doppelbuchstabe bb in der am 1. Januar 2015 geltenden Fassung gilt bis zum 31. Dezember 2016.",
        [
            (
                "§ 6 Absatz 3 Satz 1 Buchstabe a Doppelbuchstabe bb",
                ["§ 6 Abs. 3 Satz 1 Buchst. a Doppelbuchst. bb MusterStG 2020"],
            ),
        ],
    ),
    (
        "MusterStG 2020",
        "§ 8",
        "Von den Einkünften sind 2 500 Euro abzuziehen, wenn § 7 und 3 Monate Wartezeit erfüllt sind; § 32 Abs. 4 S. 1 Nr. 2 EStG gilt nicht.",
        [
            ("§ 7", ["§ 7 MusterStG 2020"]),
            ("§ 32 Abs. 4 S. 1 Nr. 2 EStG", ["§ 32 Abs. 4 Satz 1 Nr. 2 EStG"]),
        ],
    ),
    # in the manner of a constitution
    (
        "MusterVerf",
        "Art 5",
        "(1) Der Rat wird nach Artikel 3 Absatz 2 gewählt. (2) Die Artikel 6 und 7 sowie Artikel 10 Abs. 1 Satz 2 bleiben unberührt. (3) Das Nähere regelt ein Gesetz nach Artikel 8 Abs. 3.",
        [
            ("Artikel 3 Absatz 2", ["Art 3 Abs. 2 MusterVerf"]),
            ("Artikel 6 und 7", ["Art 6 MusterVerf", "Art 7 MusterVerf"]),
            ("Artikel 10 Abs. 1 Satz 2", ["Art 10 Abs. 1 Satz 2 MusterVerf"]),
            ("Artikel 8 Abs. 3", ["Art 8 Abs. 3 MusterVerf"]),
        ],
    ),
    (
        "MusterVerf",
        "Art 3",
        "(1) Niemand wird bevorzugt. (2) Für Streitigkeiten gilt Artikel 5; die Art. 7 bis 10 sind sinngemäß anzuwenden.",
        [
            ("Artikel 5", ["Art 5 MusterVerf"]),
            ("Art. 7 bis 10", ["Art 7 MusterVerf", "Art 8 MusterVerf", "Art 10 MusterVerf"]),
        ],
    ),
    (
        "MusterVerf",
        "Art 7",
        "Artikel 19 Absatz 4 des Grundgesetzes bleibt unberührt.",
        [
            ("Artikel 19 Absatz 4 des Grundgesetzes", ["Art 19 Abs. 4 GG"]),
        ],
    ),
    (
        "MusterVerf",
        "Art 8",
        "(1) Das Amt endet mit der Wahl nach Artikel 5. (2) In den Fällen des Absatzes 1 führt der Rat die Geschäfte. (3) Satz 2 des Artikels 3 gilt nicht.",
        [
            ("Artikel 5", ["Art 5 MusterVerf"]),
            ("Absatzes 1", ["Art 8 Abs. 1 MusterVerf"]),
            ("Satz 2 des Artikels 3", ["Art 3 Satz 2 MusterVerf"]),
        ],
    ),
    (
        "MusterVerf",
        "Art 10",
        "(1) Die Mitglieder wählen. Auf Verlangen nach Artikel 7 wählen sie geheim. (2) Absatz 1 Satz 2 gilt auch für Ausschüsse.",
        [
            ("Artikel 7", ["Art 7 MusterVerf"]),
            ("Absatz 1 Satz 2", ["Art 10 Abs. 1 Satz 2 MusterVerf"]),
        ],
    ),
    # in the manner of labour law
    (
        "MusterArbG",
        "§ 3",
        "Die Ruhezeit darf abweichend von § 2 Abs. 1 auf neun Stunden verkürzt werden, wenn der Ausgleich nach Satz 2 gesichert ist.",
        [
            ("§ 2 Abs. 1", ["§ 2 Abs. 1 MusterArbG"]),
            ("Satz 2", ["§ 3 Satz 2 MusterArbG"]),
        ],
    ),
    (
        "MusterArbG",
        "§ 4",
        "(1) In einem Tarifvertrag kann von den §§ 2 und 3 abgewichen werden. (2) Die Absätze 1 bis 3 gelten für Betriebe nach § 1 Absatz 2 Nummer 5 nicht. (3) § 87 Absatz 1 Nummer 2 und 3 des Betriebsverfassungsgesetzes bleibt unberührt.",
        [
            ("§§ 2 und 3", ["§ 2 MusterArbG", "§ 3 MusterArbG"]),
            ("Absätze 1 bis 3", ["§ 4 Abs. 1 MusterArbG", "§ 4 Abs. 2 MusterArbG", "§ 4 Abs. 3 MusterArbG"]),
            ("§ 1 Absatz 2 Nummer 5", ["§ 1 Abs. 2 Nr. 5 MusterArbG"]),
            (
                "§ 87 Absatz 1 Nummer 2 und 3 des Betriebsverfassungsgesetzes",
                ["§ 87 Abs. 1 Nr. 2 BetrVG", "§ 87 Abs. 1 Nr. 3 BetrVG"],
            ),
        ],
    ),
    (
        "MusterArbG",
        "§ 5",
        "Ordnungswidrig handelt, wer entgegen § 3 oder § 4 Abs. 2 Satz 1 Arbeitnehmer beschäftigt oder entgegen § 6 Abs. 1, 2 oder 3 keine Aufzeichnungen führt.",
        [
            ("§ 3", ["§ 3 MusterArbG"]),
            ("§ 4 Abs. 2 Satz 1", ["§ 4 Abs. 2 Satz 1 MusterArbG"]),
            ("§ 6 Abs. 1, 2 oder 3", ["§ 6 Abs. 1 MusterArbG", "§ 6 Abs. 2 MusterArbG", "§ 6 Abs. 3 MusterArbG"]),
        ],
    ),
    (
        "MusterArbG",
        "§ 6",
        "(1) Der Betrieb zählt die Stunden. (2) Bei Schichtarbeit gilt Absatz 1 mit der Maßgabe, dass § 7 dieses Gesetzes und § 5 Abs. 3 ArbZG zu beachten sind.",
        [
            ("Absatz 1", ["§ 6 Abs. 1 MusterArbG"]),
            ("§ 7", ["§ 7 MusterArbG"]),
            ("§ 5 Abs. 3 ArbZG", ["§ 5 Abs. 3 ArbZG"]),
        ],
    ),
    (
        "MusterArbG",
        "§ 7",
        "Die Klage nach § 4 Satz 1 des Kündigungsschutzgesetzes hemmt die Frist des § 6 Absatz 2 nicht.",
        [
            ("§ 4 Satz 1 des Kündigungsschutzgesetzes", ["§ 4 Satz 1 KSchG"]),
            ("§ 6 Absatz 2", ["§ 6 Abs. 2 MusterArbG"]),
        ],
    ),
    # in the manner of an introductory act: articles with §§ of their own
    (
        "EGMusterGB",
        "Art 9 § 1",
        "(1) Auf alte Verträge ist § 2 anzuwenden. (2) Artikel 4 Absatz 1 Nummer 2 gilt auch hier.",
        [
            ("§ 2", ["Art 9 § 2 EGMusterGB"]),
            ("Artikel 4 Absatz 1 Nummer 2", ["Art 4 Abs. 1 Nr. 2 EGMusterGB"]),
        ],
    ),
    (
        "EGMusterGB",
        "Art 9 § 2",
        "(1) Die Frist nach § 1 Absatz 1 beginnt neu. (2) Artikel 9 § 1 Abs. 2 ist nicht anzuwenden auf Verträge nach § 355 Absatz 3 des Bürgerlichen Gesetzbuchs.",
        [
            ("§ 1 Absatz 1", ["Art 9 § 1 Abs. 1 EGMusterGB"]),
            ("Artikel 9 § 1 Abs. 2", ["Art 9 § 1 Abs. 2 EGMusterGB"]),
            ("§ 355 Absatz 3 des Bürgerlichen Gesetzbuchs", ["§ 355 Abs. 3 BGB"]),
        ],
    ),
    (
        "EGMusterGB",
        "Art 4",
        "(1) Das Recht des Ortes entscheidet. (2) Die Artikel 9 § 1 und Artikel 9 § 2 Abs. 1 gehen Absatz 1 vor.",
        [
            ("Artikel 9 § 1", ["Art 9 § 1 EGMusterGB"]),
            ("Artikel 9 § 2 Abs. 1", ["Art 9 § 2 Abs. 1 EGMusterGB"]),
            ("Absatz 1", ["Art 4 Abs. 1 EGMusterGB"]),
        ],
    ),
    # in the manner of a waterways ordinance: dotted numbers
    (
        "MusterStrO",
        "§ 1.05",
        "Der Schiffsführer hat § 1.04 Nummer 2 Satz 1 sowie die §§ 2.01 und 2.02 Nummer 1 Buchstabe a bis c zu beachten.",
        [
            ("§ 1.04 Nummer 2 Satz 1", ["§ 1.04 Nr. 2 Satz 1 MusterStrO"]),
            (
                "§§ 2.01 und 2.02 Nummer 1 Buchstabe a bis c",
                [
                    "§ 2.01 MusterStrO",
                    "§ 2.02 Nr. 1 Buchst. a MusterStrO",
                    "§ 2.02 Nr. 1 Buchst. b MusterStrO",
                    "§ 2.02 Nr. 1 Buchst. c MusterStrO",
                ],
            ),
        ],
    ),
    (
        "MusterStrO",
        "§ 1.06",
        "Fahrzeuge nach § 3.08 Nr. 1 zeigen das Licht der Anlage 3; Nummer 2 gilt nicht für Kleinfahrzeuge.",
        [
            ("§ 3.08 Nr. 1", ["§ 3.08 Nr. 1 MusterStrO"]),
            ("Anlage 3", ["Anlage 3 MusterStrO"]),
            ("Nummer 2", ["§ 1.06 Nr. 2 MusterStrO"]),
        ],
    ),
    # in the manner of an environmental ordinance: annexes and Union law
    (
        "12. MusterV",
        "§ 3",
        "Anlagen nach Anhang 1 Nummer 1.2 der Verordnung über genehmigungsbedürftige Öfen sind nach Anlage 2 Nummer 3 zu prüfen.",
        [
            (
                "Anhang 1 Nummer 1.2 der Verordnung über genehmigungsbedürftige Öfen",
                ["Anhang 1 Nr. 1.2 Verordnung über genehmigungsbedürftige Öfen"],
            ),
            ("Anlage 2 Nummer 3", ["Anlage 2 Nr. 3 12. MusterV"]),
        ],
    ),
    (
        "12. MusterV",
        "§ 4",
        "(1) Messungen erfolgen nach § 5 Absatz 1 Satz 1 in Verbindung mit Anlage 1 Nummer 2. (2) Für Anlagen im Sinne des § 4 des Bundes-Immissionsschutzgesetzes gilt Nummer 4 der Anlage 1.",
        [
            ("§ 5 Absatz 1 Satz 1", ["§ 5 Abs. 1 Satz 1 12. MusterV"]),
            ("Anlage 1 Nummer 2", ["Anlage 1 Nr. 2 12. MusterV"]),
            ("§ 4 des Bundes-Immissionsschutzgesetzes", ["§ 4 BImSchG"]),
            ("Nummer 4 der Anlage 1", ["Anlage 1 Nr. 4 12. MusterV"]),
        ],
    ),
    (
        "12. MusterV",
        "§ 5",
        "Die Verordnung (EG) Nr. 44/2099 und Artikel 3 Absatz 2 der Richtlinie 2099/7/EU sowie Artikel 5 Absatz 1 Buchstabe b der Verordnung (EU) 2099/679 sind zu beachten.",
        [
            ("Artikel 3 Absatz 2 der Richtlinie 2099/7/EU", ["Art 3 Abs. 2 Richtlinie 2099/7/EU"]),
            ("Artikel 5 Absatz 1 Buchstabe b der Verordnung (EU) 2099/679", ["Art 5 Abs. 1 Buchst. b Verordnung (EU) 2099/679"]),
        ],
    ),
    (
        "12. MusterV",
        "§ 6",
        "Die Prüfung nach den §§ 3 bis 5 oder nach § 7 Absatz 1 Nummer 1, 2 und 4 ist alle 3 Jahre zu wiederholen.",
        [
            ("§§ 3 bis 5", ["§ 3 12. MusterV", "§ 4 12. MusterV", "§ 5 12. MusterV"]),
            (
                "§ 7 Absatz 1 Nummer 1, 2 und 4",
                ["§ 7 Abs. 1 Nr. 1 12. MusterV", "§ 7 Abs. 1 Nr. 2 12. MusterV", "§ 7 Abs. 1 Nr. 4 12. MusterV"],
            ),
        ],
    ),
    # in the manner of data protection law
    (
        "MusterDSG",
        "§ 22",
        "(1) Abweichend von Artikel 9 Absatz 1 der Verordnung (EU) 2099/679 ist die Verarbeitung zulässig. (2) In den Fällen des Absatzes 1 sind Maßnahmen nach Artikel 32 der Verordnung (EU) 2099/679 zu treffen. (3) § 26 Absatz 3 Satz 2 ist entsprechend anzuwenden.",
        [
            ("Artikel 9 Absatz 1 der Verordnung (EU) 2099/679", ["Art 9 Abs. 1 Verordnung (EU) 2099/679"]),
            ("Absatzes 1", ["§ 22 Abs. 1 MusterDSG"]),
            ("Artikel 32 der Verordnung (EU) 2099/679", ["Art 32 Verordnung (EU) 2099/679"]),
            ("§ 26 Absatz 3 Satz 2", ["§ 26 Abs. 3 Satz 2 MusterDSG"]),
        ],
    ),
    (
        "MusterDSG",
        "§ 23",
        "Die Aufsicht richtet sich nach § 40 Absatz 1; § 9 Abs. 2 und § 10 sind nicht anzuwenden. Absatz 3 bleibt unberührt.",
        [
            ("§ 40 Absatz 1", ["§ 40 Abs. 1 MusterDSG"]),
            ("§ 9 Abs. 2", ["§ 9 Abs. 2 MusterDSG"]),
            ("§ 10", ["§ 10 MusterDSG"]),
            ("Absatz 3", ["§ 23 Abs. 3 MusterDSG"]),
        ],
    ),
    (
        "MusterDSG",
        "§ 24",
        "Das Zeugnisverweigerungsrecht nach § 53 der Strafprozessordnung und die §§ 383, 384 der Zivilprozeßordnung gelten fort.",
        [
            ("§ 53 der Strafprozessordnung", ["§ 53 StPO"]),
            ("§§ 383, 384 der Zivilprozeßordnung", ["§ 383 ZPO", "§ 384 ZPO"]),
        ],
    ),
    # in the manner of procedural and company law
    (
        "MusterPO",
        "§ 100",
        "(1) Die Klage ist nach Maßgabe des § 95 Abs. 1 bis 3 und der §§ 96 bis 98 zu erheben. (2) Gegen den Beschluss findet die Beschwerde nach § 567 Abs. 1 ZPO statt.",
        [
            ("§ 95 Abs. 1 bis 3", ["§ 95 Abs. 1 MusterPO", "§ 95 Abs. 2 MusterPO", "§ 95 Abs. 3 MusterPO"]),
            ("§§ 96 bis 98", ["§ 96 MusterPO", "§ 97 MusterPO", "§ 98 MusterPO"]),
            ("§ 567 Abs. 1 ZPO", ["§ 567 Abs. 1 ZPO"]),
        ],
    ),
    (
        "MusterPO",
        "§ 101",
        "Auf das Verfahren ist § 100 mit Ausnahme des Absatzes 2 anzuwenden; § 12 und § 14 des Gerichtskostengesetzes gelten nicht.",
        [
            ("§ 100", ["§ 100 MusterPO"]),
            ("Absatzes 2", ["§ 101 Abs. 2 MusterPO"]),
            ("§ 12", ["§ 12 GKG"]),
            ("§ 14 des Gerichtskostengesetzes", ["§ 14 GKG"]),
        ],
    ),
    (
        "MusterPO",
        "§ 102",
        "Zuständig ist das Gericht des § 23a Absatz 2 Nummer 1 des Gerichtsverfassungsgesetzes, im Fall des Satzes 2 das Landgericht.",
        [
            ("§ 23a Absatz 2 Nummer 1 des Gerichtsverfassungsgesetzes", ["§ 23a Abs. 2 Nr. 1 GVG"]),
            ("Satzes 2", ["§ 102 Satz 2 MusterPO"]),
        ],
    ),
    (
        "MusterPO",
        "§ 103",
        "Die Bekanntmachung erfolgt nach § 9 des Gesetzes über Ordnungswidrigkeiten; sie steht im BGBl. I S. 99 und im Bundesanzeiger Nr. 12.",
        [
            ("§ 9 des Gesetzes über Ordnungswidrigkeiten", ["§ 9 OWiG"]),
        ],
    ),
    (
        "MusterPO",
        "§ 104",
        "Für Handelssachen gelten § 15 Abs. 1, § 16 und die §§ 17 bis 19 HGB sowie § 5a des Aktiengesetzes.",
        [
            ("§ 15 Abs. 1", ["§ 15 Abs. 1 HGB"]),
            ("§ 16", ["§ 16 HGB"]),
            ("§§ 17 bis 19 HGB", ["§ 17 HGB", "§ 18 HGB", "§ 19 HGB"]),
            ("§ 5a des Aktiengesetzes", ["§ 5a AktG"]),
        ],
    ),
    (
        "MusterPO",
        "§ 105",
        "(1) Die Frist beträgt drei Wochen. (1a) Sie beginnt im Fall des Absatzes 1 mit der Zustellung. (2) Absatz 1a Satz 1 gilt nicht in Verfahren nach § 104 und Absatz 3.",
        [
            ("Absatzes 1", ["§ 105 Abs. 1 MusterPO"]),
            ("Absatz 1a Satz 1", ["§ 105 Abs. 1a Satz 1 MusterPO"]),
            ("§ 104", ["§ 104 MusterPO"]),
            ("Absatz 3", ["§ 105 Abs. 3 MusterPO"]),
        ],
    ),
    # in the manner of commercial and consumer law
    (
        "MusterVG",
        "§ 1",
        "Dieses Gesetz gilt nicht für Geschäfte nach § 2 Nr. 3 und 4, soweit § 13 des Gesetzes gegen den unlauteren Wettbewerb nichts anderes bestimmt.",
        [
            ("§ 2 Nr. 3 und 4", ["§ 2 Nr. 3 MusterVG", "§ 2 Nr. 4 MusterVG"]),
            ("§ 13 des Gesetzes gegen den unlauteren Wettbewerb", ["§ 13 UWG"]),
        ],
    ),
    (
        "MusterVG",
        "§ 2",
        "(1) Ansprüche nach § 2a Abs. 1 des Unterlassungsklagengesetzes bleiben bestehen. (2) Im Übrigen gelten die Sätze 1 und 2 des Absatzes 1 für Verbände.",
        [
            ("§ 2a Abs. 1 des Unterlassungsklagengesetzes", ["§ 2a Abs. 1 UKlaG"]),
            ("Sätze 1 und 2 des Absatzes 1", ["§ 2 Abs. 1 Satz 1 MusterVG", "§ 2 Abs. 1 Satz 2 MusterVG"]),
        ],
    ),
    (
        "MusterVG",
        "§ 3",
        "Eintragungen nach § 4 Absatz 1 Nummer 1 Buchstabe a und b, Nummer 2 und Absatz 2 werden gelöscht, § 6 Absätze 2 und 3 bleibt unberührt.",
        [
            (
                "§ 4 Absatz 1 Nummer 1 Buchstabe a und b, Nummer 2 und Absatz 2",
                [
                    "§ 4 Abs. 1 Nr. 1 Buchst. a MusterVG",
                    "§ 4 Abs. 1 Nr. 1 Buchst. b MusterVG",
                    "§ 4 Abs. 1 Nr. 2 MusterVG",
                    "§ 4 Abs. 2 MusterVG",
                ],
            ),
            ("§ 6 Absätze 2 und 3", ["§ 6 Abs. 2 MusterVG", "§ 6 Abs. 3 MusterVG"]),
        ],
    ),
    (
        "MusterVG",
        "§ 4",
        "(1) Vermittler ist, wer nach § 34c der Gewerbeordnung zugelassen ist. (2) Absatz 1 Satz 1 Nummer 1 und 2 gilt nicht für Notare; § 20 Absatz 1 der Bundesnotarordnung bleibt unberührt.",
        [
            ("§ 34c der Gewerbeordnung", ["§ 34c GewO"]),
            ("Absatz 1 Satz 1 Nummer 1 und 2", ["§ 4 Abs. 1 Satz 1 Nr. 1 MusterVG", "§ 4 Abs. 1 Satz 1 Nr. 2 MusterVG"]),
            ("§ 20 Absatz 1 der Bundesnotarordnung", ["§ 20 Abs. 1 BNotO"]),
        ],
    ),
    (
        "MusterVG",
        "§ 5",
        "Die Aufsicht nach den §§ 3, 4 Absatz 1, 6 und 7a obliegt der Behörde; sie kann nach § 8f tätig werden.",
        [
            ("§§ 3, 4 Absatz 1, 6 und 7a", ["§ 3 MusterVG", "§ 4 Abs. 1 MusterVG", "§ 6 MusterVG", "§ 7a MusterVG"]),
            ("§ 8f", ["§ 8f MusterVG"]),
        ],
    ),
    (
        "MusterVG",
        "§ 6",
        "(1) Näheres regelt § 9. (2) Die Behörde teilt die Angaben nach Absatz 1 und § 7 Abs. 2 mit. (3) Sie beachtet § 30 VwVfG und die §§ 48 und 49 des Verwaltungsverfahrensgesetzes.",
        [
            ("§ 9", ["§ 9 MusterVG"]),
            ("Absatz 1", ["§ 6 Abs. 1 MusterVG"]),
            ("§ 7 Abs. 2", ["§ 7 Abs. 2 MusterVG"]),
            ("§ 30 VwVfG", ["§ 30 VwVfG"]),
            ("§§ 48 und 49 des Verwaltungsverfahrensgesetzes", ["§ 48 VwVfG", "§ 49 VwVfG"]),
        ],
    ),
    (
        "MusterVG",
        "§ 7",
        "Wird die Frist des § 6 Absatz 1 Satz 3 Halbsatz 2 versäumt, gilt Satz 1 entsprechend, nicht aber Satz 3.",
        [
            ("§ 6 Absatz 1 Satz 3 Halbsatz 2", ["§ 6 Abs. 1 Satz 3 MusterVG"]),
            ("Satz 1", ["§ 7 Satz 1 MusterVG"]),
            ("Satz 3", ["§ 7 Satz 3 MusterVG"]),
        ],
    ),
    (
        "MusterVG",
        "§ 8",
        "Das Register führt nach § 3 Abs. 1 und § 4 des Handelsregistergebührengesetzes die Kammer; Absatz 2 Nummer 1 bis 3 bleibt unberührt.",
        [
            ("§ 3 Abs. 1", ["§ 3 Abs. 1 Handelsregistergebührengesetz"]),
            ("§ 4 des Handelsregistergebührengesetzes", ["§ 4 Handelsregistergebührengesetz"]),
            ("Absatz 2 Nummer 1 bis 3", ["§ 8 Abs. 2 Nr. 1 MusterVG", "§ 8 Abs. 2 Nr. 2 MusterVG", "§ 8 Abs. 2 Nr. 3 MusterVG"]),
        ],
    ),
    (
        "MusterVG",
        "§ 9",
        "Die Belehrung nach der Anlage 9 zum Einführungsgesetz zum Bürgerlichen Gesetzbuche oder nach § 8 Abs. 2 Absatz 2 Satz 1 genügt.",
        [
            ("Anlage 9 zum Einführungsgesetz zum Bürgerlichen Gesetzbuche", ["Anlage 9 EGBGB"]),
            ("§ 8 Abs. 2 Absatz 2 Satz 1", ["§ 8 Abs. 2 Satz 1 MusterVG"]),
        ],
    ),
    (
        "MusterVG",
        "§ 10",
        "Die §§ 21ff. und Artikel 2 Nummer 4 gelten sinngemäß, soweit nicht Satz 2 oder Anhang II der Richtlinie 2099/7/EU entgegensteht.",
        [
            ("§§ 21ff.", ["§ 21 MusterVG"]),
            ("Artikel 2 Nummer 4", ["Art 2 Nr. 4"]),
            ("Satz 2", ["§ 10 Satz 2 MusterVG"]),
            ("Anhang II der Richtlinie 2099/7/EU", ["Anhang II Richtlinie 2099/7/EU"]),
        ],
    ),
    (
        "MusterVG",
        "§ 11",
        "§ 3 des Gesetzes über die Ausübung der Bootskunde gilt; § 4 Abs. 2 des Gesetzes zur Förderung alter Kähne tritt zurück.",
        [
            ("§ 3 des Gesetzes über die Ausübung der Bootskunde", ["§ 3 Gesetz über die Ausübung der Bootskunde"]),
            ("§ 4 Abs. 2 des Gesetzes zur Förderung alter Kähne", ["§ 4 Abs. 2 Gesetz zur Förderung alter Kähne"]),
        ],
    ),
    (
        "MusterVG",
        "§ 12",
        "Nach § 6 Absatz 1 Satz 1 erste Alternative gilt Artikel 2 des Gesetzes vom 3. Mai 2031 (BGBl. I S. 7) fort.",
        [
            ("§ 6 Absatz 1 Satz 1 erste Alternative", ["§ 6 Abs. 1 Satz 1 MusterVG"]),
            ("Artikel 2 des Gesetzes vom 3. Mai 2031", ["Art 2 Gesetz vom 3. Mai 2031"]),
        ],
    ),
]
